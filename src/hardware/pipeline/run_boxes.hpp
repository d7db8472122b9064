// Evaluates a design of boxes with a given arithmetic, one sample after another.
//
// With CordicReal it is the floating-point model, with CordicFixed the bit-true one, equal to the
// generated Verilog bit for bit.

#pragma once

#include <span>
#include <type_traits>

#include "hardware/layer.hpp"
#include "hardware/pipeline/boxes.hpp"
#include "scalar/quad.hpp"

namespace parid::hardware {

inline double number_of(const CordicReal&, Quad x) { return static_cast<double>(x); }
inline Raw number_of(const CordicFixed& a, Quad x) { return word_of(a.format, x); }

template <class A>
class BoxRunner {
 public:
  using Number = typename A::Number;

  BoxRunner(const BoxDesign& design, const Cordic<A>& cordic) : d_(&design), cordic_(cordic) {}

  // From the inputs in order (a sign is any number above or below zero) to the outputs in order.
  std::vector<Number> operator()(std::span<const Number> inputs) const {
    std::vector<Number> signal(d_->signals.size());
    std::size_t next = 0;
    for (const int s : d_->inputs()) signal[s] = entered(s, inputs[next++]);
    for (std::size_t s = 0, b = 0; b < d_->boxes.size(); ++b) {
      const BoxUse& u = d_->boxes[b];
      const auto v = cordic_(u.box, value(u.x, signal), value(u.y, signal), value(u.z, signal));
      for (s = 0; s < signal.size(); ++s)
        if (d_->signals[s].box == static_cast<int>(b)) signal[s] = port(v, d_->signals[s].port);
    }
    std::vector<Number> out;
    for (const auto& o : d_->outputs) out.push_back(left(o, value(o.value, signal)));
    return out;
  }

  // The signals that the first stage reads, from the words at the input ports.
  std::vector<Number> entered(std::span<const Number> inputs) const {
    std::vector<Number> in;
    for (const int s : d_->inputs()) in.push_back(entered(s, inputs[in.size()]));
    return in;
  }

  // One box: from the values at its ports in the order of Network to its signals in order.
  std::vector<Number> execute(int box, std::span<const Number> ports) const {
    const BoxUse& u = d_->boxes[box];
    std::size_t at = 0;
    const Number x = value(u.x, ports, at), y = value(u.y, ports, at), z = value(u.z, ports, at);
    const auto v = cordic_(u.box, x, y, z);
    std::vector<Number> out;
    for (const auto& s : d_->signals)
      if (s.box == box) out.push_back(port(v, s.port));
    return out;
  }
  // The outputs, from the values that Network lists as outputs.
  std::vector<Number> finished(std::span<const Number> ports) const {
    std::vector<Number> out;
    std::size_t at = 0;
    for (const auto& o : d_->outputs) out.push_back(left(o, value(o.value, ports, at)));
    return out;
  }

 private:
  Number number(Quad x) const { return number_of(cordic_.arithmetic, x); }
  Number held(Number x) const {
    if constexpr (std::is_same_v<A, CordicFixed>) return cordic_.arithmetic.format.held(x);
    return x;
  }
  Number entered(int s, Number x) const {
    return d_->signals[s].offset == 0 ? x : held(x + number(d_->signals[s].offset));
  }
  Number left(const BoxDesign::Output& o, Number x) const {
    if (!o.wraps) return o.offset == 0 ? x : held(x + number(o.offset));
    const OutputTurns turns(o);
    const Number turn = number(turns.turn), half = number(turns.half);
    Number y = x + number(turns.offset);
    for (int k = 0; k < 2; ++k) y = half < y ? y - turn : y < -half ? y + turn : y;
    return held(y + number(o.middle));
  }
  static Number port(const CordicValue<Number>& v, char p) {
    return p == 'x' ? v.x : p == 'y' ? v.y : v.z;
  }
  Number signed_value(const BoxOperand& o, Number x, bool minus) const {
    return held(o.negated != minus ? -x : x);
  }
  Number value(const BoxOperand& o, const std::vector<Number>& signal) const {
    bool minus = false;
    for (const int s : o.signs) minus ^= signal[s] < 0;
    return signed_value(
        o, o.is_constant() ? number_of(cordic_.arithmetic, o.constant) : signal[o.signal], minus);
  }
  Number value(const BoxOperand& o, std::span<const Number> ports, std::size_t& at) const {
    const Number x = o.is_constant() ? number_of(cordic_.arithmetic, o.constant) : ports[at++];
    bool minus = false;
    for (std::size_t k = 0; k < o.signs.size(); ++k) minus ^= ports[at++] < 0;
    return signed_value(o, x, minus);
  }

  const BoxDesign* d_;
  Cordic<A> cordic_;
};

}  // namespace parid::hardware
