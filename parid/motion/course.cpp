#include "parid/motion/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace parid {
namespace {

class Timed final : public Course {
 public:
  Timed(CoursePointer path, const Profile& profile) : path_(std::move(path)), profile_(profile) {}
  double duration() const override { return profile_.duration; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const Stage<double> s = profile_.at(std::clamp(t, 0.0, profile_.duration));
    path_->at(std::clamp(s.x, 0.0, 1.0), q, v, a);
    for (std::size_t k = 0; k < v.size(); ++k) {
      a[k] = a[k] * s.v * s.v + v[k] * s.a;
      v[k] *= s.v;
    }
  }

 private:
  CoursePointer path_;
  Profile profile_;
};

class Sequence final : public Course {
 public:
  explicit Sequence(std::vector<CoursePointer> parts) : parts_(std::move(parts)) {
    for (const CoursePointer& part : parts_) starts_.push_back(total_), total_ += part->duration();
  }
  double duration() const override { return total_; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), t);
    const std::size_t i = static_cast<std::size_t>(after - starts_.begin()) - 1;
    parts_[i]->at(std::clamp(t - starts_[i], 0.0, parts_[i]->duration()), q, v, a);
  }

 private:
  std::vector<CoursePointer> parts_;
  std::vector<double> starts_;
  double total_ = 0;
};

class Standing final : public Course {
 public:
  Standing(std::vector<double> q, double duration) : q_(std::move(q)), duration_(duration) {}
  double duration() const override { return duration_; }
  void at(double, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    std::copy(q_.begin(), q_.end(), q.begin());
    std::fill(v.begin(), v.end(), 0.0), std::fill(a.begin(), a.end(), 0.0);
  }

 private:
  std::vector<double> q_;
  double duration_;
};

Trajectory at_instants(const Robot& robot, const Course& course, std::vector<double> t) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  Trajectory m;
  m.rows = t.size();
  m.t = std::move(t);
  m.q.resize(m.rows * nq), m.v.resize(m.rows * nv), m.a.resize(m.rows * nv);
  for (std::size_t r = 0; r < m.rows; ++r)
    course.at(m.t[r], {&m.q[r * nq], nq}, {m.v.data() + r * nv, nv}, {m.a.data() + r * nv, nv});
  name_torques(robot, m);
  return m;
}

}  // namespace

CoursePointer timed(CoursePointer path, const Profile& profile) {
  return std::make_shared<Timed>(std::move(path), profile);
}
CoursePointer sequence(std::vector<CoursePointer> parts) {
  if (parts.size() == 1) return parts.front();
  return std::make_shared<Sequence>(std::move(parts));
}
CoursePointer standing(std::vector<double> q, double duration) {
  return std::make_shared<Standing>(std::move(q), duration);
}

Trajectory sampled(const Robot& robot, const Course& course, double rate) {
  const double end = course.duration(), steps = end * rate;
  // What one number per value can index, and far more than anyone wants.
  if (!(steps < 1e9))
    throw Error(fmt::format("{:.4g} s at {:.4g} Hz are {:.3g} samples; give a lower rate", end,
                            rate, steps));
  // A last step shorter than a millionth of the others is rounding.
  const auto whole = static_cast<std::size_t>(std::ceil(steps - 1e-6));
  std::vector<double> t;
  for (std::size_t k = 0; k < whole; ++k) t.push_back(static_cast<double>(k) / rate);
  t.push_back(end);
  return at_instants(robot, course, std::move(t));
}
Trajectory sampled_evenly(const Robot& robot, const Course& course, std::size_t samples) {
  std::vector<double> t;
  for (std::size_t k = 0; k < samples; ++k)
    t.push_back(samples > 1
                    ? course.duration() * static_cast<double>(k) / static_cast<double>(samples - 1)
                    : 0);
  return at_instants(robot, course, std::move(t));
}

}  // namespace parid
