#include "parid/pipeline/vector_processor.hpp"

namespace parid {
namespace {

using S = VectorStep;

int place(S::Register r, int own) {
  if (r == S::own) return own;
  if (r == S::next) return (own + 1) % 3;
  if (r == S::after) return (own + 2) % 3;
  return r;
}

}  // namespace

const VectorProgram& vector_program(VectorOp op) {
  // The busses carry: the third words; the products; what the adder gave and the first product.
  static const VectorProgram dot = {{{S::third, S::third, S::second, S::second, Adder::idle, 2},
                                     {S::first, S::first, S::none, S::none, Adder::products, 2},
                                     {S::none, S::none, S::none, S::none, Adder::onward, 2}}};
  // Each multiplier has one operand beside it; the other of each crosses over.
  static const VectorProgram cross = {{{S::next, S::after, S::after, S::next, Adder::idle, 2},
                                       {S::none, S::none, S::none, S::none, Adder::difference, 2}}};
  static const VectorProgram sum = {{{S::none, S::none, S::none, S::none, Adder::operands, 2}}};
  static const VectorProgram scaled = {{{S::first, S::own, S::none, S::none, Adder::idle, 2}},
                                       true};
  switch (op) {
    case VectorOp::cross: return cross;
    case VectorOp::add: return sum;
    case VectorOp::scale: return scaled;
    case VectorOp::matrix_vector:
    case VectorOp::dot: break;
  }
  return dot;
}

void VectorProcessor::load(VectorOp op, const std::array<Raw, 9>& a, const std::array<Raw, 3>& b) {
  op_ = op;
  step_ = 0;
  for (int k = 0; k < 3; ++k) {
    const int row = op == VectorOp::matrix_vector ? 3 * k : 0;
    module_[k].a = {a[row], a[row + 1], a[row + 2]};
    module_[k].b = b;
  }
}

void VectorProcessor::clock() {
  const VectorStep& s = vector_program(op_).steps[step_++];
  auto product = [&](Raw x, Raw y) {
    const __int128 p = static_cast<__int128>(x) * y;
    return format_.held(
        static_cast<Raw>((p >> format_.fraction) + (p >> (format_.fraction - 1) & 1)));
  };
  for (int k = 0; k < 3; ++k) {
    Module& m = module_[k];
    switch (s.adder) {
      case Adder::idle: break;
      case Adder::products: m.sum = format_.held(m.product1 + m.product2); break;
      case Adder::difference: m.sum = format_.held(m.product1 - m.product2); break;
      case Adder::onward: m.sum = format_.held(m.sum + m.product1); break;
      case Adder::operands: m.sum = format_.held(m.a[k] + m.b[k]); break;
    }
    if (s.a1 != S::none) m.product1 = product(m.a[place(s.a1, k)], m.b[place(s.b1, k)]);
    if (s.a2 != S::none) m.product2 = product(m.a[place(s.a2, k)], m.b[place(s.b2, k)]);
  }
}

std::array<Raw, 3> VectorProcessor::result() const {
  std::array<Raw, 3> out;
  for (int k = 0; k < 3; ++k)
    out[k] = vector_program(op_).from_multiplier ? module_[k].product1 : module_[k].sum;
  return out;
}

std::array<Raw, 3> VectorProcessor::run(VectorOp op, const std::array<Raw, 9>& a,
                                        const std::array<Raw, 3>& b) {
  load(op, a, b);
  while (busy()) clock();
  return result();
}

}  // namespace parid
