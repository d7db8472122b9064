#include "hardware/array/vector_processor.hpp"

#include <algorithm>
#include <set>

namespace parid::hardware {
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
  // The busses carry: the module's own words; the products; the adder's result and the last
  // product.
  static const VectorProgram dot = {{{S::own, S::own, S::after, S::after, Adder::idle},
                                     {S::next, S::next, S::none, S::none, Adder::products},
                                     {S::none, S::none, S::none, S::none, Adder::onward}}};
  // Each multiplier has one operand beside it; the other operand comes over a bus.
  static const VectorProgram cross = {{{S::next, S::after, S::after, S::next, Adder::idle},
                                       {S::none, S::none, S::none, S::none, Adder::difference}}};
  static const VectorProgram sum = {{{S::none, S::none, S::none, S::none, Adder::operands}}};
  static const VectorProgram scaled = {{{S::first, S::own, S::none, S::none, Adder::idle}}, true};
  switch (op) {
    case VectorOp::cross: return cross;
    case VectorOp::add: return sum;
    case VectorOp::scale: return scaled;
    case VectorOp::matrix_vector:
    case VectorOp::dot: break;
  }
  return dot;
}

int processor_clocks(VectorOp op) { return 1 + static_cast<int>(vector_program(op).steps.size()); }

int busses(const VectorStep& s, int own) {
  auto crosses = [&](S::Register r, int beside) {
    return r != S::none && place(r, own) != (own + beside) % 3;
  };
  const int operands = crosses(s.a1, 1) + crosses(s.b1, 1) + crosses(s.a2, 2) + crosses(s.b2, 2);
  return operands + (s.adder == Adder::idle ? 0 : 2);
}

ProcessorParts processor_parts() {
  ProcessorParts p;
  for (int own = 0; own < p.modules; ++own) {
    std::set<int> a, b;  // operand registers that a step reads
    bool sums = false;
    int products = 0;
    for (const VectorOp op :
         {VectorOp::matrix_vector, VectorOp::cross, VectorOp::add, VectorOp::scale, VectorOp::dot})
      for (const VectorStep& s : vector_program(op).steps) {
        for (const S::Register r : {s.a1, s.a2})
          if (r != S::none) a.insert(place(r, own));
        for (const S::Register r : {s.b1, s.b2})
          if (r != S::none) b.insert(place(r, own));
        if (s.adder == Adder::operands) {
          a.insert(own);
          b.insert(own);
        }
        products = std::max(products, (s.a1 != S::none) + (s.a2 != S::none));
        sums = sums || s.adder != Adder::idle;
        p.busses = std::max(p.busses, busses(s, own));
      }
    p.multipliers = std::max(p.multipliers, products);
    p.adders = std::max(p.adders, sums ? 1 : 0);
    const int words = static_cast<int>(a.size() + b.size());
    p.registers = std::max(p.registers, words + products + sums);  // plus one behind each unit
    p.operand_wires += static_cast<int>(a.size());  // one matrix row each; the vector is common
    if (own == 0) p.operand_wires += static_cast<int>(b.size());
    ++p.result_wires;
  }
  return p;
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
    return format_.held(rounded_shift(exact_product(x, y), format_.fraction));
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

}  // namespace parid::hardware
