// The interpreter as a template over its number type. Included only by the files that compile it
// for one instruction set each; see kernel_of.hpp.

#pragma once

#include "runtime/kernel/interpreted_kernel.hpp"
#include "runtime/layer.hpp"
#include "scalar/pack.hpp"

namespace parid::runtime {

template <class Real, class Isa>
class InterpretedKernelOf final : public InterpretedKernel<Real> {
  static constexpr int W = lanes_of<Isa, Real>;
  // registers per slot: an instruction is decoded once for all
  static constexpr int packed = 256 / Isa::bytes;
  using T = Pack<W, Real, Isa>;

 public:
  explicit InterpretedKernelOf(const RowTape& tape) : tape_(tape) {
    const Tape& t = tape.tape;
    const std::size_t values = std::size_t{t.slots} * packed, count = t.instructions.size();
    memory_ = static_cast<T*>(::operator new((values + t.constants.size()) * sizeof(T), line));
    for (std::size_t k = 0; k < values; ++k) memory_[k] = T();
    for (std::size_t k = 0; k < t.constants.size(); ++k) memory_[values + k] = T(t.constants[k]);
    first_ = static_cast<Do*>(::operator new((count + 1) * sizeof(Do)));
    last_ = first_ + count;
    // A constant is one register, which is read repeatedly; other values advance.
    auto operand = [&](std::uint32_t slot) -> Operand {
      if (slot < t.slots) return {memory_ + std::size_t{slot} * packed, 1};
      return {memory_ + values + (slot - t.slots), 0};
    };
    for (std::size_t k = 0; k < count; ++k) {
      const Instruction& i = t.instructions[k];
      const bool load = i.step == Step::load, store = i.step == Step::store;
      const Operand none{memory_, 0};
      first_[k] = {i.step,
                   load ? i.a : i.to,
                   store ? memory_ : memory_ + std::size_t{i.to} * packed,
                   i.step == Step::sin_cos ? memory_ + std::size_t{i.also} * packed : memory_,
                   load ? none : operand(i.a),
                   load ? none : operand(i.b),
                   load ? none : operand(i.c)};
    }
  }
  ~InterpretedKernelOf() override { ::operator delete(first_), ::operator delete(memory_, line); }
  InterpretedKernelOf(const InterpretedKernelOf&) = delete;
  InterpretedKernelOf& operator=(const InterpretedKernelOf&) = delete;

  void rows(long rows, const Real* const* in, Real* const* out) override {
    constexpr long many = packed * W;
    long r = 0;
    for (; r + many <= rows; r += many) run<packed>(in, out, r, many);
    for (; r < rows; r += W) run<1>(in, out, r, rows - r < W ? rows - r : W);
  }

 private:
  static constexpr std::align_val_t line{64};

  struct Operand {
    const T* at;
    std::ptrdiff_t step;
    const T& operator[](int k) const { return at[k * step]; }
  };
  struct Do {  // an instruction with the addresses of its slots
    Step step;
    std::uint32_t column;  // of load and store
    T *to, *also;
    Operand a, b, c;
  };

  template <int K, class F>
  static void each(const Do& i, const F& f) {
    for (int k = 0; k < K; ++k) i.to[k] = f(i.a[k], i.b[k], i.c[k]);
  }

  // Rows r … r + n − 1. There are K·W of them; or K is 1, and the last row is repeated.
  template <int K>
  void run(const Real* const* in, Real* const* out, long r, long n) {
    for (const Do* p = first_; p != last_; ++p) {
      const Do i = *p;
      // clang-format off
      switch (i.step) {
        case Step::load: load<K>(i, in, r, n); break;
        case Step::store: store<K>(i, out, r, n); break;
        case Step::add: each<K>(i, [](const T& a, const T& b, const T&) { return a + b; }); break;
        case Step::sub: each<K>(i, [](const T& a, const T& b, const T&) { return a - b; }); break;
        case Step::mul: each<K>(i, [](const T& a, const T& b, const T&) { return a * b; }); break;
        case Step::div: each<K>(i, [](const T& a, const T& b, const T&) { return a / b; }); break;
        case Step::neg: each<K>(i, [](const T& a, const T&, const T&) { return -a; }); break;
        case Step::sqrt: each<K>(i, [](const T& a, const T&, const T&) { return sqrt(a); }); break;
        case Step::abs: each<K>(i, [](const T& a, const T&, const T&) { return abs(a); }); break;
        case Step::atan2: each<K>(i, [](const T& a, const T& b, const T&) { return atan2(a, b); }); break;
        case Step::less: each<K>(i, [](const T& a, const T& b, const T&) { return select(a < b, T(1.0), T(0.0)); }); break;
        case Step::select: each<K>(i, [](const T& a, const T& b, const T& c) { return select(T(0.0) < a, b, c); }); break;
        case Step::mul_add: each<K>(i, [](const T& a, const T& b, const T& c) { return a * b + c; }); break;
        case Step::mul_sub: each<K>(i, [](const T& a, const T& b, const T& c) { return a * b - c; }); break;
        case Step::sub_mul: each<K>(i, [](const T& a, const T& b, const T& c) { return c - a * b; }); break;
        case Step::sin_cos: turn<K>(i); break;
      }
      // clang-format on
    }
  }

  template <int K>
  static void turn(const Do& i) {
    for (int k = 0; k < K; ++k) {
      const SinCos<T> pair = sin_cos(T(i.a[k]));
      i.to[k] = pair.sin;
      i.also[k] = pair.cos;
    }
  }
  template <int K>
  void load(const Do& i, const Real* const* in, long r, long n) const {
    const RowTape::Column& c = tape_.in[i.column];
    const long stride = c.stride;
    const Real* from = in[c.argument] + r * stride + c.column;
    for (int k = 0; k < K; ++k) {
      T x;  // completed before it is stored: reading back a partly written register is slow
      if (n == K * W)
        for (int l = 0; l < W; ++l, from += stride) x.set(l, *from);
      else
        for (int l = 0; l < W; ++l) x.set(l, from[(l < n ? l : n - 1) * stride]);
      i.to[k] = x;
    }
  }
  template <int K>
  void store(const Do& i, Real* const* out, long r, long n) const {
    const RowTape::Column& c = tape_.out[i.column];
    const long stride = c.stride;
    Real* to = out[c.argument] + r * stride + c.column;
    for (long k = 0; k < n; ++k, to += stride)
      *to = i.a[static_cast<int>(k / W)][static_cast<int>(k % W)];
  }

  const RowTape& tape_;
  T* memory_;
  Do *first_, *last_;
};

template <class Real, class Isa>
std::unique_ptr<InterpretedKernel<Real>> make_interpreted(const RowTape& tape) {
  return std::make_unique<InterpretedKernelOf<Real, Isa>>(tape);
}
template <class Isa>
InterpreterSet interpreter_set() {
  return {Isa::name, make_interpreted<double, Isa>, make_interpreted<float, Isa>};
}

}  // namespace parid::runtime
