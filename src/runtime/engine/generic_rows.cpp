#include "runtime/engine/generic_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "parid/dynamics.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/workspace/workspace_parts.hpp"

namespace parid::runtime {

std::vector<std::size_t> dimensions(const Robot& r, ArrayShape shape) {
  const auto nq = static_cast<std::size_t>(r.nq()), nv = static_cast<std::size_t>(r.nv());
  switch (shape) {
    case ArrayShape::scalar: return {};
    case ArrayShape::pair: return {2};
    case ArrayShape::vector3: return {3};
    case ArrayShape::rotation: return {3, 3};
    case ArrayShape::position: return {nq};
    case ArrayShape::velocity:
    case ArrayShape::torque_steps: return {nv};
    case ArrayShape::square: return {nv, nv};
    case ArrayShape::jacobian: return {6, nv};
    case ArrayShape::regressor: return {nv, regressor_names(r).size()};
  }
  return {};
}

std::size_t count(const Robot& r, ArrayShape shape) {
  std::size_t n = 1;
  for (const std::size_t k : dimensions(r, shape)) n *= k;
  return n;
}

Shape shape_of(const Robot& robot, Quantity which) {
  const QuantityInfo& about = info(which);
  // throws, with the names of the batched quantities
  if (!about.batched) batched_quantity(about.name);
  Shape s;
  for (const ArrayInfo& a : about.inputs) {
    s.in_names.emplace_back(a.name);
    s.in.push_back(count(robot, a.shape));
  }
  for (const ArrayInfo& a : about.outputs) {
    s.out_names.emplace_back(a.name);
    s.out.push_back(count(robot, a.shape));
  }
  return s;
}

GenericRows::GenericRows(const Robot& robot)
    : robot_(robot),
      nq_(robot.nq()),
      nv_(robot.nv()),
      in_double_(best_kernels<KernelSet>().batch(robot.canonical())),
      in_float_(best_kernels<KernelSet>().batch_float(robot.canonical())),
      zero_(nv_ * static_cast<std::size_t>(in_double_->lanes())),
      zero_float_(nv_ * static_cast<std::size_t>(in_float_->lanes())) {}

void GenericRows::set_external_loads(const ExternalLoads& around) {
  external_loads_ = around;
  auto surround = [&](auto& kernel) {
    if (!kernel) return;
    kernel->set_base_motion(around.base), kernel->set_external(around.external);
  };
  surround(in_double_), surround(in_float_), surround(forward_);
  if (workspace_) {
    workspace_->parts().external_loads = around;
    workspace_->parts().external_loads_changed();
  }
}

void GenericRows::prepare(Quantity which) {
  const Shape& shape = shape_.emplace(which, shape_of(robot_, which)).first->second;
  std::size_t in = 0, out = 0;
  for (const std::size_t n : shape.in) in += n;
  for (const std::size_t n : shape.out) out += n;
  row_in_.resize(std::max(row_in_.size(), in));
  row_out_.resize(std::max(row_out_.size(), out));
  switch (which) {
    case Quantity::inverse_dynamics:
    case Quantity::bias:
    case Quantity::gravity: return;
    case Quantity::forward_dynamics:
    case Quantity::mass_matrix:
      if (!forward_) forward_ = best_kernels<ForwardKernelSet>().batch(robot_.canonical());
      break;
    case Quantity::kinematics:
    case Quantity::jacobian:
      if (!kinematics_) kinematics_ = std::make_unique<Kinematics>(robot_);
      break;
    default:
      if (!workspace_) workspace_ = std::make_unique<Workspace>(robot_);
      parid::prepare(*workspace_, {which});
      if (which == Quantity::regressor) regressor_columns_ = shape.out[0] / nv_;
  }
  set_external_loads(external_loads_);
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

// One row of a quantity that has no kernel over lanes.
void GenericRows::row(Quantity which, int link, std::size_t r, const double* const* in,
                      double* const* out) {
  const std::span q(in[0] + r * nq_, nq_);
  auto given = [&](int k) { return std::span(in[k] + r * nv_, nv_); };
  auto matrix = [&](int k) { return std::span(out[k] + r * nv_ * nv_, nv_ * nv_); };
  switch (which) {
    case Quantity::inverse_gradient:
      inverse_gradient(robot_, *workspace_, q, given(1), given(2), matrix(0), matrix(1), matrix(2));
      break;
    case Quantity::forward_gradient:
      forward_gradient(robot_, *workspace_, q, given(1), given(2), matrix(0), matrix(1), matrix(2));
      break;
    case Quantity::regressor: {
      const std::size_t size = nv_ * regressor_columns_;
      regressor(robot_, *workspace_, q, given(1), given(2), std::span(out[0] + r * size, size));
      break;
    }
    case Quantity::energy: {
      const EnergyState e = energy(robot_, *workspace_, q, given(1));
      out[0][r] = e.kinetic;
      out[1][r] = e.potential;
      const std::array<double, 3>* three[] = {&e.centre, &e.centre_velocity, &e.linear_momentum,
                                              &e.angular_momentum};
      for (int k = 0; k < 4; ++k) std::copy_n(three[k]->data(), 3, out[2 + k] + 3 * r);
      break;
    }
    case Quantity::kinematics: {
      kinematics_->set(q);
      const LinkPose pose = kinematics_->pose(link);
      std::copy_n(pose.rotation.data(), 9, out[0] + 9 * r);
      std::copy_n(pose.position.data(), 3, out[1] + 3 * r);
      break;
    }
    case Quantity::jacobian:
      kinematics_->set(q);
      kinematics_->jacobian(link, std::span(out[0] + r * 6 * nv_, 6 * nv_));
      break;
    default: throw std::logic_error(fmt::format("GenericRows has no kernel for '{}'", name(which)));
  }
}

void GenericRows::rows(Quantity which, int link, std::size_t rows, const double* const* in,
                       double* const* out) {
  switch (which) {
    case Quantity::inverse_dynamics: return torques(*in_double_, rows, in[0], in[1], in[2], out[0]);
    case Quantity::bias: return torques<double>(*in_double_, rows, in[0], in[1], nullptr, out[0]);
    case Quantity::gravity:
      return torques<double>(*in_double_, rows, in[0], nullptr, nullptr, out[0]);
    case Quantity::forward_dynamics:
    case Quantity::mass_matrix: break;
    default:
      for (std::size_t r = 0; r < rows; ++r) row(which, link, r, in, out);
      return;
  }
  const auto lanes = static_cast<std::size_t>(forward_->lanes());
  for (std::size_t r = 0; r < rows; r += lanes) {
    const int some = static_cast<int>(std::min(lanes, rows - r));
    if (which == Quantity::forward_dynamics)
      forward_->forward_dynamics(in[0] + r * nq_, in[1] + r * nv_, in[2] + r * nv_,
                                 out[0] + r * nv_, some);
    else
      forward_->mass_matrix(in[0] + r * nq_, out[0] + r * nv_ * nv_, some);
  }
}

// Single precision: torques have float kernels, the rest is computed in double precision.
void GenericRows::rows(Quantity which, int link, std::size_t rows, const float* const* in,
                       float* const* out) {
  switch (which) {
    case Quantity::inverse_dynamics: return torques(*in_float_, rows, in[0], in[1], in[2], out[0]);
    case Quantity::bias: return torques<float>(*in_float_, rows, in[0], in[1], nullptr, out[0]);
    case Quantity::gravity:
      return torques<float>(*in_float_, rows, in[0], nullptr, nullptr, out[0]);
    default: break;
  }
  const Shape& shape = shape_.at(which);
  for (std::size_t r = 0; r < rows; ++r) {
    const double* from[4];
    double* to[8];
    std::fill_n(from, 4, row_in_.data());
    std::fill_n(to, 8, row_out_.data());
    std::size_t at = 0;
    for (std::size_t k = 0; k < shape.in.size(); at += shape.in[k++]) {
      std::copy_n(in[k] + r * shape.in[k], shape.in[k], row_in_.data() + at);
      from[k] = row_in_.data() + at;
    }
    at = 0;
    for (std::size_t k = 0; k < shape.out.size(); at += shape.out[k++])
      to[k] = row_out_.data() + at;
    this->rows(which, link, 1, from, to);
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

}  // namespace parid::runtime
