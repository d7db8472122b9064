#include "runtime/kinematics/ik_search.hpp"
#include "runtime/kernel/dispatch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace parid::runtime {
namespace {

// Random postures within the limits, equal on every machine; the first is the middle.
std::vector<double> postures(const Path& path, int count) {
  std::mt19937_64 rng(1);
  auto uniform = [&](double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(rng() >> 11);
  };
  std::vector<double> out(count * path.nq);
  for (int n = 0; n < count; ++n)
    for (const PathFreedom& f : path.freedoms) {
      double* x = &out[n * path.nq + f.q];
      const double reach = f.kind == JointKind::prismatic || f.kind == JointKind::floating
                               ? path.extent + 1e-3
                               : std::numbers::pi;
      if (f.kind == JointKind::revolute || f.kind == JointKind::prismatic) {
        const double low = std::isfinite(f.lower) ? f.lower : std::min(-reach, f.upper - 2 * reach),
                     high = std::isfinite(f.upper) ? f.upper : std::max(reach, f.lower + 2 * reach);
        *x = n == 0 ? 0.5 * (low + high) : uniform(low, high);
        continue;
      }
      if (f.kind == JointKind::floating)
        for (int k = 0; k < 3; ++k) *x++ = n == 0 ? 0 : uniform(-reach, reach);
      double quaternion[4] = {0, 0, 0, 1}, length2 = n == 0 ? 1 : 0;
      while (length2 < 0.01 || length2 > 1) {
        length2 = 0;
        for (double& y : quaternion) {
          y = uniform(-1, 1);
          length2 += y * y;
        }
      }
      for (double y : quaternion) *x++ = y / std::sqrt(length2);
    }
  return out;
}

}  // namespace

IkSearch::IkSearch(const Path& path, const IkOptions& options)
    : path_(path),
      options_(options),
      kernel_(best_kernels<IkKernelSet>().make(path)),
      lanes_(kernel_->lanes()),
      q_(static_cast<std::size_t>(path.nq * lanes_)),
      next_(q_.size()),
      target_(static_cast<std::size_t>(12 * lanes_)),
      position2_(static_cast<std::size_t>(lanes_)),
      angle2_(static_cast<std::size_t>(lanes_)),
      lane_(static_cast<std::size_t>(lanes_)),
      starts_(postures(path, stored)) {}

void IkSearch::aim(int lane, const double* pose) {
  for (int k = 0; k < 12; ++k) target_[k * lanes_ + lane] = pose[k];
}
void IkSearch::begin(int lane, std::size_t task, int attempt, const double* start) {
  lane_[lane] = {task, attempt, 0, std::numeric_limits<double>::infinity(), true};
  for (int k = 0; k < path_.nq; ++k) next_[k * lanes_ + lane] = start[k];
  for (const PathFreedom& f : path_.freedoms)  // a seed may be beyond them
    if (f.kind == JointKind::revolute || f.kind == JointKind::prismatic) {
      double& x = next_[f.q * lanes_ + lane];
      x = std::clamp(x, f.lower, f.upper);
    }
}
void IkSearch::read(int lane, double* q) const {
  for (int k = 0; k < path_.nq; ++k) q[k] = q_[k * lanes_ + lane];
}
IkReport IkSearch::found(int lane, bool converged) const {
  return {converged, std::sqrt(position2_[lane]),
          2 * std::asin(std::min(1.0, 0.5 * std::sqrt(angle2_[lane]))), 0, lane_[lane].attempt + 1};
}

// Moves the result of the last attempt from next_ to q_, and computes the next step into next_.
void IkSearch::step(bool turning) {
  std::swap(q_, next_);
  kernel_->step(q_.data(), target_.data(), turning, next_.data(), position2_.data(),
                angle2_.data());
}

IkSearch::Verdict IkSearch::judge(int lane) {
  Lane& l = lane_[lane];
  if (position2_[lane] <= options_.position_tolerance * options_.position_tolerance &&
      angle2_[lane] <= options_.angle_tolerance * options_.angle_tolerance)
    return Verdict::arrived;
  // The squared distance must fall by a fifth in four steps, or the attempt ends; `patient_` allows
  // more steps.
  const int most = patient_ ? 20 * options_.steps : options_.steps, some = patient_ ? 40 : 4;
  if (++l.step >= most) return Verdict::stuck;
  if (l.step % some == 0) {
    const double now = far(lane);
    if (!(now < (patient_ ? 0.999 : 0.8) * l.checkpoint)) return Verdict::stuck;
    l.checkpoint = now;
  }
  return Verdict::on_the_way;
}

void IkSearch::many(std::size_t n, const double* poses, const double* seeds, bool turning,
                    double* q, IkReport* out) {
  follow(n, poses, seeds, turning, q, out, options_.attempts);
  for (std::size_t r = 0; r < n; ++r)
    if (!out[r].converged)
      approach(poses + 12 * r, turning, q + static_cast<std::size_t>(path_.nq) * r, out[r]);
}

// Follows the nearest attempt until it no longer improves: to a solution, possibly in a corner of
// the limits where steps are small, or to the closest reachable posture.
void IkSearch::approach(const double* pose, bool turning, double* q, IkReport& report) {
  const std::vector<double> nearest(q, q + path_.nq);
  IkReport last;
  patient_ = true;
  follow(1, pose, nearest.data(), turning, q, &last, 1);
  patient_ = false;
  last.steps += report.steps;
  last.attempts = report.attempts;
  if (last.converged ||
      last.position_error + last.angle_error < report.position_error + report.angle_error)
    report = last;
  else
    std::copy(nearest.begin(), nearest.end(), q);
}

void IkSearch::follow(std::size_t n, const double* poses, const double* seeds, bool turning,
                      double* q, IkReport* out, int attempts) {
  const auto nq = static_cast<std::size_t>(path_.nq);
  std::size_t waiting = 0, busy = 0;
  auto take = [&](int lane) {
    lane_[lane].busy = waiting < n;
    if (waiting == n) return;
    const std::size_t task = waiting++;
    ++busy;
    out[task] = {false, std::numeric_limits<double>::infinity(), 0, 0, 0};
    aim(lane, poses + 12 * task);
    begin(lane, task, 0, seeds ? seeds + nq * task : start(0));
  };
  for (int lane = 0; lane < lanes_; ++lane) take(lane);
  while (busy > 0) {
    step(turning);
    for (int lane = 0; lane < lanes_; ++lane) {
      Lane& l = lane_[lane];
      if (!l.busy) continue;
      IkReport& best = out[l.task];
      const int steps = ++best.steps;
      const Verdict verdict = judge(lane);
      if (verdict == Verdict::on_the_way) continue;
      const IkReport here = found(lane, verdict == Verdict::arrived);
      if (here.converged ||
          here.position_error + here.angle_error < best.position_error + best.angle_error) {
        best = here;
        read(lane, q + nq * l.task);
      }
      best.steps = steps;
      best.attempts = l.attempt + 1;
      if (here.converged || l.attempt + 1 >= attempts) {
        --busy;
        take(lane);
      } else {
        begin(lane, l.task, l.attempt + 1, start(l.attempt + 1));
      }
    }
  }
}

IkReport IkSearch::one(const double* pose, const double* seed, bool turning, double* q) {
  IkReport best{false, std::numeric_limits<double>::infinity(), 0, 0, 0};
  int attempts = 0, steps = 0, busy = 0;
  for (int lane = 0; lane < lanes_; ++lane) {
    aim(lane, pose);
    lane_[lane].busy = attempts < options_.attempts;
    if (!lane_[lane].busy) continue;
    begin(lane, 0, attempts, attempts == 0 && seed ? seed : start(attempts));
    ++attempts, ++busy;
  }
  bool seed_on_its_way = seed != nullptr;
  while (busy > 0 && (!best.converged || seed_on_its_way)) {
    step(turning);
    for (int lane = 0; lane < lanes_; ++lane) {
      Lane& l = lane_[lane];
      if (!l.busy) continue;
      ++steps;
      const Verdict verdict = judge(lane);
      if (verdict == Verdict::on_the_way) continue;
      const IkReport here = found(lane, verdict == Verdict::arrived);
      const bool from_seed = seed && l.attempt == 0;
      if (from_seed) seed_on_its_way = false;
      if (here.converged ? !best.converged || from_seed
                         : !best.converged && here.position_error + here.angle_error <
                                                  best.position_error + best.angle_error) {
        best = here;
        read(lane, q);
      }
      if (attempts < options_.attempts && !best.converged) {
        begin(lane, 0, attempts, start(attempts));
        ++attempts;
      } else {
        l.busy = false;
        --busy;
      }
    }
  }
  best.steps = steps;
  best.attempts = attempts;
  if (!best.converged) approach(pose, turning, q, best);
  return best;
}

}  // namespace parid::runtime
