// A robot, as users hold it: immutable, cheap to copy, shared between threads.
//
// A public header: no template, no type of another library.

#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "parid/export.h"

namespace parid {

namespace model {
struct Description;
struct CanonicalModel;
}  // namespace model

struct LoadOptions {
  bool floating = false;  // hang the root link on a floating joint named after it
};

class PARID_EXPORT Robot {
 public:
  // A built-in name ("puma560", "chain:12") or a path to a .urdf or .toml file. Throws parid::Error
  // with file, line and remedy where it cannot be understood or is physically impossible.
  static Robot load(const std::string& name_or_path, const LoadOptions& = {});
  explicit Robot(model::Description);

  const std::string& name() const;
  int nq() const;  // positions
  int nv() const;  // velocities, accelerations, torques: the degrees of freedom

  // In the robot file's order: "shoulder", or "base.x" … for joints of several freedoms.
  const std::vector<std::string>& position_names() const;
  const std::vector<std::string>& velocity_names() const;
  const std::vector<std::string>& link_names() const;
  const std::string& tip() const;  // the last link of the longest branch

  // Limits of each velocity coordinate; infinite where the file gives none.
  struct Limit {
    double lower, upper, velocity, effort;
  };
  const std::vector<Limit>& limits() const;
  std::vector<double> neutral() const;  // positions: zero moved inside the limits, unit quaternions

  std::array<double, 3> gravity() const;
  Robot with_gravity(const std::array<double, 3>&) const;

  // Adds a body to a link, given in the link's frame: mass, centre, and Ixx Iyy Izz Ixy Ixz Iyz
  // about that centre.
  Robot with_payload(const std::string& link, double mass, const std::array<double, 3>& centre = {},
                     const std::array<double, 6>& inertia = {}) const;

  const model::Description& description() const;
  const model::CanonicalModel& canonical() const;  // model/canonical_model.hpp
  int find_link(const std::string& name) const;  // its index; throws parid::Error with a suggestion

 private:
  struct Body;
  std::shared_ptr<const Body> body_;
};

}  // namespace parid
