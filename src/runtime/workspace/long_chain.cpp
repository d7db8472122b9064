// LongChain of parid/parallel_evaluation.hpp.

#include <fmt/format.h>

#include "dynamics/chain_scan.hpp"
#include "parid/error.hpp"
#include "parid/parallel_evaluation.hpp"
#include "runtime/layer.hpp"

namespace parid {
using namespace runtime;

struct LongChain::Parts {
  Robot robot;
  ModelState<double> at;
  ChainFrames<double> frames;
  ChainMassMatrix<double> mass;
  ChainForward<double> forward;
  std::vector<Twist<double>> J;

  explicit Parts(const Robot& r)
      : robot(r),
        at(robot.canonical()),
        frames(robot.canonical()),
        mass(robot.canonical()),
        forward(robot.canonical()),
        J(static_cast<std::size_t>(r.nv())) {}

  void place(std::span<const double> q) {
    at.load(q.data());
    frames.place(at.motion);
  }
};

bool LongChain::covers(const Robot& robot) {
  return ChainForward<double>::covers(robot.canonical());
}

LongChain::LongChain(const Robot& robot) {
  if (!covers(robot))
    throw Error({robot.description().file, 0},
                fmt::format("robot '{}' is not a chain of joints with one coordinate each, or a "
                            "link has no inertia about some axis",
                            robot.name()),
                "use the functions of parid/dynamics.hpp");
  parts_ = std::make_unique<Parts>(robot);
}
LongChain::LongChain(LongChain&&) noexcept = default;
LongChain& LongChain::operator=(LongChain&&) noexcept = default;
LongChain::~LongChain() = default;

void LongChain::pose(std::span<const double> q, int link, std::span<double> rotation,
                     std::span<double> position) {
  parts_->place(q);
  const Pose<double> x = parts_->frames.link_pose(link);
  const Vec3<double> rows[] = {x.R.r0, x.R.r1, x.R.r2};
  for (std::size_t r = 0; r < 3; ++r) {
    rotation[3 * r] = rows[r].x;
    rotation[3 * r + 1] = rows[r].y;
    rotation[3 * r + 2] = rows[r].z;
  }
  position[0] = x.p.x;
  position[1] = x.p.y;
  position[2] = x.p.z;
}

void LongChain::jacobian(std::span<const double> q, int link, std::span<double> J) {
  Parts& p = *parts_;
  p.place(q);
  p.frames.jacobian(link, p.J.data());
  const std::size_t n = p.J.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Twist<double>& x = p.J[k];
    const double all[] = {x.linear.x,  x.linear.y,  x.linear.z,
                          x.angular.x, x.angular.y, x.angular.z};
    for (std::size_t r = 0; r < 6; ++r) J[r * n + k] = all[r];
  }
}

void LongChain::mass_matrix(std::span<const double> q, std::span<double> M) {
  parts_->mass(q.data(), M.data());
}

void LongChain::forward_dynamics(std::span<const double> q, std::span<const double> v,
                                 std::span<const double> tau, std::span<double> a) {
  parts_->forward.acceleration(q.data(), v.data(), tau.data(), a.data());
}

}  // namespace parid
