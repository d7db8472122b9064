// MuJoCo on a model in its own format and coordinates: the reference for the reader of MJCF.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "peers/layer.hpp"

namespace parid::peers {

class MujocoModel {
 public:
  struct Joint {
    std::string name;
    int type;       // 0 free, 1 ball, 2 slide, 3 hinge
    int qpos, dof;  // where its numbers begin
  };
  virtual ~MujocoModel() = default;
  virtual int nq() const = 0;
  virtual int nv() const = 0;
  virtual const std::vector<Joint>& joints() const = 0;
  virtual std::vector<double> mass_matrix(const std::vector<double>& qpos) = 0;  // (nv, nv)
  // Coriolis, centrifugal and gravity forces.
  virtual std::vector<double> bias(const std::vector<double>& qpos,
                                   const std::vector<double>& qvel) = 0;
};

// Throws std::runtime_error("MuJoCo cannot: why") for a text that MuJoCo refuses, and if MuJoCo was
// not found at build time.
std::unique_ptr<MujocoModel> mujoco_model(const std::string& mjcf);

}  // namespace parid::peers
