#include "runtime/engine/generic_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "parid/dynamics.hpp"
#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {

Shape shape_of(const Robot& robot, Quantity which, const RowLayout& per_row) {
  const QuantityInfo& about = info(which);
  // throws, with the names of the batched quantities
  if (!about.batched) batched_quantity(about.name);
  Shape s;
  for (const ArrayInfo& a : about.inputs) {
    s.in_names.emplace_back(a.name);
    s.in.push_back(count(robot, a.shape));
  }
  for (const RowLayout::Array& a : per_row.used_by(which).arrays()) {
    s.in_names.emplace_back(a.name);
    s.in.push_back(a.numbers);
  }
  for (const ArrayInfo& a : about.outputs) {
    s.out_names.emplace_back(a.name);
    s.out.push_back(count(robot, a.shape));
  }
  return s;
}

namespace {
constexpr std::size_t float_rows = 8;  // converted to double precision at once: the widest register
}

GenericRows::GenericRows(const Robot& robot, const RowLayout& per_row)
    : robot_(robot),
      nq_(robot.nq()),
      nv_(robot.nv()),
      in_double_(best_kernels<KernelSet>().batch(robot.canonical())),
      in_float_(best_kernels<KernelSet>().batch_float(robot.canonical())),
      per_row_(per_row),
      zero_(nv_ * static_cast<std::size_t>(in_double_->lanes())),
      zero_float_(nv_ * static_cast<std::size_t>(in_float_->lanes())) {
  if (per_row_.empty()) return;
  in_double_->take_rows(per_row_);
  in_float_->take_rows(per_row_);
}

void GenericRows::set_external_loads(const ExternalLoads& around) {
  external_loads_ = around;
  auto surround = [&](auto& kernel) {
    if (!kernel) return;
    kernel->set_base_motion(around.base);
    kernel->set_external(around.external);
  };
  surround(in_double_);
  surround(in_float_);
  surround(forward_);
  for (auto& other : others_) surround(other.second);
}

void GenericRows::prepare(Quantity which) {
  const Shape& shape = shape_.emplace(which, shape_of(robot_, which, per_row_)).first->second;
  const RowLayout& layout = layout_.emplace(which, per_row_.used_by(which)).first->second;
  std::size_t in = 0, out = 0;
  for (const std::size_t n : shape.in) in += n;
  for (const std::size_t n : shape.out) out += n;
  row_in_.resize(std::max(row_in_.size(), float_rows * in));
  row_out_.resize(std::max(row_out_.size(), float_rows * out));
  switch (which) {
    case Quantity::inverse_dynamics:
    case Quantity::bias:
    case Quantity::gravity: return;
    case Quantity::forward_dynamics:
    case Quantity::mass_matrix:
      if (!forward_) {
        forward_ = best_kernels<ForwardKernelSet>().batch(robot_.canonical());
        if (!per_row_.empty()) forward_->take_rows(per_row_);
      }
      break;
    default:
      if (!others_[which])
        others_[which] =
            best_kernels<QuantityKernelSet>().batch(robot_, which, layout, shape.in, shape.out);
      if (!others_[which])
        throw std::logic_error(fmt::format("GenericRows has no kernel for '{}'", name(which)));
  }
  set_external_loads(external_loads_);
}

namespace {

// The arrays of what differs by row, from row r on.
template <class Real>
struct RowsFrom {
  const Real* at[4];
  RowsFrom(const Shape& shape, std::size_t first, const Real* const* in, std::size_t r) {
    for (std::size_t k = first; k < shape.in.size(); ++k) at[k - first] = in[k] + r * shape.in[k];
  }
};

}  // namespace

template <class Real>
void GenericRows::torques(Kernel<Real>& kernel, Quantity which, std::size_t rows,
                          const Real* const* in, int missing, Real* tau) const {
  const auto lanes = static_cast<std::size_t>(kernel.lanes());
  const Real* zero;
  if constexpr (std::is_same_v<Real, double>)
    zero = zero_.data();
  else
    zero = zero_float_.data();
  for (std::size_t r = 0; r < rows; r += lanes) {
    const int some = static_cast<int>(std::min(lanes, rows - r));
    if (!per_row_.empty()) {
      const RowsFrom<Real> more(shape_.at(which), static_cast<std::size_t>(3 - missing), in, r);
      kernel.load_rows(layout_.at(which), more.at, some);
    }
    kernel.inverse_dynamics(in[0] + r * nq_, missing < 2 ? in[1] + r * nv_ : zero,
                            missing < 1 ? in[2] + r * nv_ : zero, tau + r * nv_, some);
  }
}

void GenericRows::rows(Quantity which, int link, std::size_t rows, const double* const* in,
                       double* const* out) {
  switch (which) {
    case Quantity::inverse_dynamics: return torques(*in_double_, which, rows, in, 0, out[0]);
    case Quantity::bias: return torques(*in_double_, which, rows, in, 1, out[0]);
    case Quantity::gravity: return torques(*in_double_, which, rows, in, 2, out[0]);
    case Quantity::forward_dynamics:
    case Quantity::mass_matrix: break;
    default: return other_rows(which, link, rows, in, out);
  }
  const bool mass = which == Quantity::mass_matrix;
  const auto lanes = static_cast<std::size_t>(forward_->lanes());
  for (std::size_t r = 0; r < rows; r += lanes) {
    const int some = static_cast<int>(std::min(lanes, rows - r));
    if (const RowLayout& here = layout_.at(which); !here.empty()) {
      const RowsFrom<double> more(shape_.at(which), mass ? 1 : 3, in, r);
      forward_->load_rows(here, more.at, some, mass);
    }
    if (mass)
      forward_->mass_matrix(in[0] + r * nq_, out[0] + r * nv_ * nv_, some);
    else
      forward_->forward_dynamics(in[0] + r * nq_, in[1] + r * nv_, in[2] + r * nv_,
                                 out[0] + r * nv_, some);
  }
}

void GenericRows::other_rows(Quantity which, int link, std::size_t rows, const double* const* in,
                             double* const* out) {
  QuantityKernel& kernel = *others_.at(which);
  const Shape& shape = shape_.at(which);
  const auto lanes = static_cast<std::size_t>(kernel.lanes());
  const double* from[most_arrays];
  double* to[most_arrays];
  for (std::size_t r = 0; r < rows; r += lanes) {
    for (std::size_t k = 0; k < shape.in.size(); ++k) from[k] = in[k] + r * shape.in[k];
    for (std::size_t k = 0; k < shape.out.size(); ++k) to[k] = out[k] + r * shape.out[k];
    kernel.rows(link, from, to, static_cast<int>(std::min(lanes, rows - r)));
  }
}

// Single precision: torques have kernels of their own, the rest is computed in double precision.
void GenericRows::rows(Quantity which, int link, std::size_t rows, const float* const* in,
                       float* const* out) {
  switch (which) {
    case Quantity::inverse_dynamics: return torques(*in_float_, which, rows, in, 0, out[0]);
    case Quantity::bias: return torques(*in_float_, which, rows, in, 1, out[0]);
    case Quantity::gravity: return torques(*in_float_, which, rows, in, 2, out[0]);
    default: break;
  }
  const Shape& shape = shape_.at(which);
  double* from[most_arrays];
  double* to[most_arrays];
  std::size_t at = 0;
  for (std::size_t k = 0; k < shape.in.size(); at += float_rows * shape.in[k++])
    from[k] = row_in_.data() + at;
  at = 0;
  for (std::size_t k = 0; k < shape.out.size(); at += float_rows * shape.out[k++])
    to[k] = row_out_.data() + at;
  for (std::size_t r = 0; r < rows; r += float_rows) {
    const std::size_t some = std::min(float_rows, rows - r);
    for (std::size_t k = 0; k < shape.in.size(); ++k)
      std::copy_n(in[k] + r * shape.in[k], some * shape.in[k], from[k]);
    this->rows(which, link, some, from, to);
    for (std::size_t k = 0; k < shape.out.size(); ++k)
      for (std::size_t j = 0; j < some * shape.out[k]; ++j)
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
