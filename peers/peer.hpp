// Dynamics and kinematics by other libraries: references in tests, baselines in benchmarks.
//
// peers/ reads only src/model, so that no result can come from our own recursions. Each library is
// used in the way that is fastest for it; coordinates and torques are Parid's
// (model/joint/coordinates.hpp). tau is rigid body plus rotor inertia; no friction, no damping.

#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "model/description.hpp"
#include "peers/layer.hpp"

namespace parid::peers {

// A link in the root link's frame. Rows of the Jacobian, row-major: linear velocity of the link's
// origin, then angular velocity; columns are Parid's velocities.
struct LinkKinematics {
  Pose<double> pose;
  std::vector<double> jacobian, jacobian_rate;  // 6 × nv
};

// The centre of mass of all moving links in the root link's frame, its Jacobian (3 × nv, columns
// are Parid's velocities), and the momenta at the velocity v, the angular one about the centre.
struct CentreKinematics {
  Vec3<double> position, linear_momentum, angular_momentum;
  std::vector<double> jacobian;
};

// One robot in one library, with its workspace. Not thread-safe.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  virtual int nq() const = 0;
  virtual int nv() const = 0;
  virtual void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) = 0;
  virtual void forward_dynamics(const double* q, const double* v, const double* tau, double* a) = 0;
  virtual void mass_matrix(const double* q, double* M) = 0;  // (nv, nv), with rotor inertia

  // Of the link that a joint moves. Not available from MuJoCo.
  virtual LinkKinematics link_kinematics(const std::string& joint, const double* q,
                                         const double* v);
  // Of MuJoCo and DART.
  virtual CentreKinematics centre_kinematics(const double* q, const double* v);
};

// These throw std::runtime_error("KDL cannot: why") for robots outside a library's scope, and for a
// library that was not found at build time.
//   KDL     open chains of 1-dof and planar joints
//   MuJoCo  no massless moving link; floating joints only at the root; at most about 95 joints in a
//           row (its XML reader's limit)
//   DART    all but mimic joints; 10 s to build 1024 joints in a row
//   Pinocchio  all but planar and mimic joints
//   Pinocchio, generated  the same; generates and compiles C at the first call of a function
//   RBDL       joints of one freedom
std::unique_ptr<Peer> kdl(const Description&);
std::unique_ptr<Peer> mujoco(const Description&);
std::unique_ptr<Peer> dart(const Description&);
std::unique_ptr<Peer> pinocchio(const Description&);
std::unique_ptr<Peer> pinocchio_codegen(const Description&);
std::unique_ptr<Peer> rbdl(const Description&);

struct Maker {
  const char* name;
  std::unique_ptr<Peer> (*make)(const Description&);
};
inline constexpr std::array<Maker, 3> makers = {{{"KDL", kdl}, {"MuJoCo", mujoco}, {"DART", dart}}};
// Debian has none of these, so tests do not use them; benchmarks use them if they are installed.
inline constexpr std::array<Maker, 3> elsewhere = {
    {{"Pinocchio", pinocchio}, {"Pinocchio, generated", pinocchio_codegen}, {"RBDL", rbdl}}};

}  // namespace parid::peers
