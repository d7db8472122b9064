// The search around the damped step: start postures, stopping and restarts.
//
// Every lane of a kernel follows one attempt. An attempt starts at the seed, or at one of the
// postures stored at construction, and ends when it has converged, when it no longer improves, or
// after a number of steps. If all attempts fail, the best is followed to its end. For many poses a
// lane stays with its pose and a free lane takes the next; for one pose all lanes start from
// different postures.

#pragma once

#include "math/per_link.hpp"
#include "parid/inverse_kinematics.hpp"
#include "runtime/kernel/ik_kernel.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Not thread-safe.
class IkSearch {
 public:
  IkSearch(const Path&, const IkOptions&);  // the path must outlive it

  // Poses are twelve numbers: a rotation, row-major, and a position. Seeds and q are rows of the
  // path's coordinates; without seeds each search chooses its start. If it does not converge, q is
  // the nearest posture found.
  void many(std::size_t n, const double* poses, const double* seeds, bool turning, double* q,
            IkReport*);

  // With a seed, the solution that the seed converges to, if any; else the first that is found.
  IkReport one(const double* pose, const double* seed, bool turning, double* q);

 private:
  using Rows = std::vector<double, math::detail::CacheLineAllocator<double>>;
  struct Lane {
    std::size_t task = 0;
    int attempt = 0, step = 0;
    double checkpoint = 0;  // distance some steps ago
    bool busy = false;
  };
  enum class Verdict { on_the_way, arrived, stuck };

  void follow(std::size_t n, const double* poses, const double* seeds, bool turning, double* q,
              IkReport*, int attempts);
  void approach(const double* pose, bool turning, double* q, IkReport&);
  Verdict judge(int lane);
  void begin(int lane, std::size_t task, int attempt, const double* start);
  const double* start(int attempt) const {
    return &starts_[static_cast<std::size_t>(attempt % stored) * path_.nq];
  }
  void aim(int lane, const double* pose);
  void read(int lane, double* q) const;
  double far(int lane) const {
    return position2_[lane] / (path_.extent * path_.extent) + angle2_[lane];
  }
  IkReport found(int lane, bool converged) const;
  void step(bool turning);

  static constexpr int stored = 128;

  const Path& path_;
  IkOptions options_;
  std::unique_ptr<IkKernel> kernel_;
  int lanes_;
  Rows q_, next_, target_, position2_, angle2_;
  std::vector<Lane> lane_;
  bool patient_ = false;
  std::vector<double> starts_;
};

}  // namespace parid::runtime
