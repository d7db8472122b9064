#include "parid/run/generic_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parid/error.hpp"
#include "parid/model/spelling.hpp"
#include "parid/run/answers.hpp"
#include "parid/run/workspace_parts.hpp"

namespace parid {
namespace {

// Letters of a shape: how many numbers an array has per row.
enum class Width { position, velocity, matrix, regressor, one, three, frame, jacobian };

struct Array {
  const char* name;
  Width width;
};
struct Row {
  const char* what;
  std::vector<Array> in, out;
};

const std::vector<Row>& table() {
  using enum Width;
  static const Array q{"q", position}, v{"v", velocity}, a{"a", velocity}, tau{"tau", velocity};
  static const std::vector<Row> all = {
      {"inverse", {q, v, a}, {tau}},
      {"forward", {q, v, tau}, {a}},
      {"mass", {q}, {{"M", matrix}}},
      {"bias", {q, v}, {tau}},
      {"gravity", {q}, {tau}},
      {"inverse_gradient", {q, v, a}, {{"dq", matrix}, {"dv", matrix}, {"da", matrix}}},
      {"forward_gradient", {q, v, tau}, {{"dq", matrix}, {"dv", matrix}, {"dtau", matrix}}},
      {"regressor", {q, v, a}, {{"Y", regressor}}},
      {"energy",
       {q, v},
       {{"kinetic", one},
        {"potential", one},
        {"centre", three},
        {"centre_velocity", three},
        {"linear_momentum", three},
        {"angular_momentum", three}}},
      {"kinematics", {q}, {{"R", frame}, {"p", three}}},
      {"jacobian", {q}, {{"J", jacobian}}},
  };
  return all;
}

std::size_t numbers(const Robot& r, Width w) {
  const auto nq = static_cast<std::size_t>(r.nq()), nv = static_cast<std::size_t>(r.nv());
  switch (w) {
    case Width::position: return nq;
    case Width::velocity: return nv;
    case Width::matrix: return nv * nv;
    case Width::regressor: return nv * regressor_names(r).size();
    case Width::one: return 1;
    case Width::three: return 3;
    case Width::frame: return 9;
    case Width::jacobian: return 6 * nv;
  }
  return 0;
}

}  // namespace

std::vector<std::string> batch_questions() {
  std::vector<std::string> words;
  for (const Row& r : table()) words.emplace_back(r.what);
  return words;
}

Shape shape_of(const Robot& robot, const std::string& what) {
  for (const Row& r : table()) {
    if (what != r.what) continue;
    Shape s;
    for (const Array& a : r.in)
      s.in_names.emplace_back(a.name), s.in.push_back(numbers(robot, a.width));
    for (const Array& a : r.out)
      s.out_names.emplace_back(a.name), s.out.push_back(numbers(robot, a.width));
    return s;
  }
  throw Error(fmt::format("'{}' cannot be asked over rows; {}choose from {}", what,
                          did_you_mean(what, batch_questions()),
                          fmt::join(batch_questions(), ", ")));
}

GenericRows::GenericRows(const Robot& robot)
    : robot_(robot),
      nq_(robot.nq()),
      nv_(robot.nv()),
      in_double_(best_kernels().batch(robot.canonical())),
      in_float_(best_kernels().batch_float(robot.canonical())),
      zero_(nv_ * static_cast<std::size_t>(in_double_->lanes())),
      zero_float_(nv_ * static_cast<std::size_t>(in_float_->lanes())) {}

void GenericRows::set_surroundings(const Surroundings& around) {
  surroundings_ = around;
  auto surround = [&](auto& kernel) {
    if (!kernel) return;
    kernel->set_base_motion(around.base), kernel->set_external(around.external);
  };
  surround(in_double_), surround(in_float_), surround(forward_);
  if (workspace_) {
    workspace_->parts().surroundings = around;
    workspace_->parts().surroundings_changed();
  }
}

void GenericRows::prepare(const std::string& what) {
  const Shape& shape = shape_.emplace(what, shape_of(robot_, what)).first->second;
  if (what == "regressor") regressor_columns_ = shape.out[0] / nv_;
  std::size_t in = 0, out = 0;
  for (const std::size_t n : shape.in) in += n;
  for (const std::size_t n : shape.out) out += n;
  row_in_.resize(std::max(row_in_.size(), in)), row_out_.resize(std::max(row_out_.size(), out));
  if (what == "inverse" || what == "bias" || what == "gravity") return;
  if (what == "forward" || what == "mass") {
    if (!forward_) forward_ = best_forward_kernels().batch(robot_.canonical());
  } else if (what == "kinematics" || what == "jacobian") {
    if (!kinematics_) kinematics_ = std::make_unique<Kinematics>(robot_);
  } else {
    if (!workspace_) workspace_ = std::make_unique<Workspace>(robot_);
    parid::prepare(*workspace_, {what == "energy"      ? Answer::energy
                                 : what == "regressor" ? Answer::regressor
                                                       : Answer::gradient});
  }
  set_surroundings(surroundings_);
}

template <class Real>
void GenericRows::torques(Kernel<Real>& kernel, std::size_t rows, const Real* q, const Real* v,
                          const Real* a, Real* tau) const {
  const auto lanes = static_cast<std::size_t>(kernel.lanes());
  const Real* zero;
  if constexpr (std::is_same_v<Real, double>)
    zero = zero_.data();
  else
    zero = zero_float_.data();
  for (std::size_t r = 0; r < rows; r += lanes)
    kernel.inverse_dynamics(q + r * nq_, v ? v + r * nv_ : zero, a ? a + r * nv_ : zero,
                            tau + r * nv_, static_cast<int>(std::min(lanes, rows - r)));
}

void GenericRows::rows(const std::string& what, int link, std::size_t rows, const double* const* in,
                       double* const* out) {
  if (what == "inverse") return torques(*in_double_, rows, in[0], in[1], in[2], out[0]);
  if (what == "bias") return torques<double>(*in_double_, rows, in[0], in[1], nullptr, out[0]);
  if (what == "gravity") return torques<double>(*in_double_, rows, in[0], nullptr, nullptr, out[0]);
  if (what == "forward" || what == "mass") {
    const auto lanes = static_cast<std::size_t>(forward_->lanes());
    for (std::size_t r = 0; r < rows; r += lanes) {
      const int some = static_cast<int>(std::min(lanes, rows - r));
      if (what == "forward")
        forward_->forward_dynamics(in[0] + r * nq_, in[1] + r * nv_, in[2] + r * nv_,
                                   out[0] + r * nv_, some);
      else
        forward_->mass_matrix(in[0] + r * nq_, out[0] + r * nv_ * nv_, some);
    }
    return;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::span q(in[0] + r * nq_, nq_);
    auto given = [&](int k) { return std::span(in[k] + r * nv_, nv_); };
    auto matrix = [&](int k) { return std::span(out[k] + r * nv_ * nv_, nv_ * nv_); };
    if (what == "inverse_gradient") {
      inverse_gradient(robot_, *workspace_, q, given(1), given(2), matrix(0), matrix(1), matrix(2));
    } else if (what == "forward_gradient") {
      forward_gradient(robot_, *workspace_, q, given(1), given(2), matrix(0), matrix(1), matrix(2));
    } else if (what == "regressor") {
      const std::size_t size = nv_ * regressor_columns_;
      regressor(robot_, *workspace_, q, given(1), given(2), std::span(out[0] + r * size, size));
    } else if (what == "energy") {
      const EnergyState e = energy(robot_, *workspace_, q, given(1));
      out[0][r] = e.kinetic, out[1][r] = e.potential;
      const std::array<double, 3>* three[] = {&e.centre, &e.centre_velocity, &e.linear_momentum,
                                              &e.angular_momentum};
      for (int k = 0; k < 4; ++k) std::copy_n(three[k]->data(), 3, out[2 + k] + 3 * r);
    } else {
      kinematics_->set(q);
      if (what == "jacobian") {
        kinematics_->jacobian(link, std::span(out[0] + r * 6 * nv_, 6 * nv_));
      } else {
        const LinkPose pose = kinematics_->pose(link);
        std::copy_n(pose.rotation.data(), 9, out[0] + 9 * r);
        std::copy_n(pose.position.data(), 3, out[1] + 3 * r);
      }
    }
  }
}

// Single numbers: torques have kernels of their own, the rest is worked out in double.
void GenericRows::rows(const std::string& what, int link, std::size_t rows, const float* const* in,
                       float* const* out) {
  if (what == "inverse") return torques(*in_float_, rows, in[0], in[1], in[2], out[0]);
  if (what == "bias") return torques<float>(*in_float_, rows, in[0], in[1], nullptr, out[0]);
  if (what == "gravity") return torques<float>(*in_float_, rows, in[0], nullptr, nullptr, out[0]);
  const Shape& shape = shape_.at(what);
  for (std::size_t r = 0; r < rows; ++r) {
    const double* from[4];
    double* to[8];
    std::fill_n(from, 4, row_in_.data()), std::fill_n(to, 8, row_out_.data());
    std::size_t at = 0;
    for (std::size_t k = 0; k < shape.in.size(); at += shape.in[k++]) {
      std::copy_n(in[k] + r * shape.in[k], shape.in[k], row_in_.data() + at);
      from[k] = row_in_.data() + at;
    }
    at = 0;
    for (std::size_t k = 0; k < shape.out.size(); at += shape.out[k++])
      to[k] = row_out_.data() + at;
    this->rows(what, link, 1, from, to);
    for (std::size_t k = 0; k < shape.out.size(); ++k)
      for (std::size_t j = 0; j < shape.out[k]; ++j)
        out[k][r * shape.out[k] + j] = static_cast<float>(to[k][j]);
  }
}

void GenericRows::with_friction(std::size_t rows, const double* const* in,
                                const FrictionRows<double>& to) {
  const auto lanes = static_cast<std::size_t>(in_double_->lanes());
  for (std::size_t r = 0; r < rows; r += lanes) {
    const std::size_t at = r * nv_;
    const FrictionRows<double> here =
        to.rigid ? FrictionRows<double>{to.tau + at, to.rigid + at, to.bearing + at, to.drive + at}
                 : FrictionRows<double>{to.tau + at};
    in_double_->inverse_dynamics_with_friction(in[0] + r * nq_, in[1] + at, in[2] + at, here,
                                               static_cast<int>(std::min(lanes, rows - r)));
  }
}

}  // namespace parid
