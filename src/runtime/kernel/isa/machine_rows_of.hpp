// MachineRows as a template. Included only by the files that compile it for one instruction set
// each; see kernel_of.hpp.

#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "runtime/kernel/machine_rows.hpp"
#include "runtime/layer.hpp"
#include "scalar/isa.hpp"

namespace parid::runtime {

template <class Real, class Isa>
class MachineRowsOf final : public MachineRows<Real> {
  static constexpr int W = lanes_of<Isa, Real>;
  // Rows are transposed in squares of this side: a register holds W / side of them, so that the
  // only shuffles are those within squares.
  static constexpr int side = W < 4 ? W : 4;
  typedef Real V __attribute__((vector_size(Isa::bytes)));
  typedef Real U __attribute__((vector_size(Isa::bytes), aligned(sizeof(Real)), may_alias));
  typedef Real Q __attribute__((vector_size(side * sizeof(Real))));
  typedef Real Place
      __attribute__((vector_size(side * sizeof(Real)), aligned(sizeof(Real)), may_alias));

  static constexpr std::size_t page = 4096;

 public:
  explicit MachineRowsOf(const MachineProgram& program) : program_(program) {
    for (const std::size_t n : program.in) inputs_ += n;
    for (const std::size_t n : program.out) outputs_ += n;
    const std::size_t arguments = (inputs_ + outputs_) * sizeof(V);
    std::size_t scratch = arguments / page * page + program.code->scratch_offset();
    if (scratch < arguments) scratch += page;
    std::size_t widest = 0;
    for (const std::size_t n : program.in) widest = std::max(widest, n);
    for (const std::size_t n : program.out) widest = std::max(widest, n);
    const std::size_t copy = (scratch + program.code->scratch_bytes() + 63) / 64 * 64;
    void* const memory = ::operator new (copy + (widest + 1) * sizeof(V), std::align_val_t{page});
    memory_ = static_cast<V*>(memory);
    scratch_ = static_cast<char*>(memory) + scratch;
    copy_ = reinterpret_cast<Real*>(static_cast<char*>(memory) + copy);
  }
  ~MachineRowsOf() override { ::operator delete (memory_, std::align_val_t{page}); }
  MachineRowsOf(const MachineRowsOf&) = delete;
  MachineRowsOf& operator=(const MachineRowsOf&) = delete;

  void rows(std::size_t rows, const Real* const* in, Real* const* out) override {
    std::size_t r = 0;
    for (; r + W <= rows; r += W) {
      V* x = memory_;
      for (std::size_t k = 0; k < program_.in.size(); x += program_.in[k++])
        gather(in[k] + r * program_.in[k], program_.in[k], x);
      run();
      const V* y = memory_ + inputs_;
      for (std::size_t k = 0; k < program_.out.size(); y += program_.out[k++])
        scatter(y, program_.out[k], out[k] + r * program_.out[k]);
    }
    if (r < rows) few_rows(r, rows - r, in, out);
  }

  void columns(std::size_t rows, std::size_t stride, const Real* const* in,
               Real* const* out) override {
    std::size_t r = 0;
    for (; r + W <= rows; r += W) {
      V* x = memory_;
      for (std::size_t k = 0; k < program_.in.size(); ++k)
        for (std::size_t c = 0; c < program_.in[k]; ++c)
          *x++ = *reinterpret_cast<const U*>(in[k] + c * stride + r);
      run();
      const V* y = memory_ + inputs_;
      for (std::size_t k = 0; k < program_.out.size(); ++k)
        for (std::size_t c = 0; c < program_.out[k]; ++c)
          *reinterpret_cast<U*>(out[k] + c * stride + r) = *y++;
    }
    if (r == rows) return;
    const std::size_t n = rows - r;
    elements(program_.in, memory_, n, [&](std::size_t k, std::size_t c, std::size_t l) {
      return in[k][c * stride + r + l];
    });
    run();
    write(program_.out, n, [&](std::size_t k, std::size_t c, std::size_t l, Real value) {
      out[k][c * stride + r + l] = value;
    });
  }

  bool beyond(std::size_t n, const Real* x, Real limit) const override {
    auto far = (V{} < V{});
    std::size_t k = 0;
    for (; k + W <= n; k += W) {
      const V y = *reinterpret_cast<const U*>(x + k);
      far |= ~((y <= limit) & (y >= -limit));
    }
    bool any = false;
    for (; k < n; ++k) any |= !(x[k] <= limit && x[k] >= -limit);
    for (int l = 0; l < W; ++l) any |= far[l] != 0;
    return any;
  }

 private:
  void run() const { program_.code->block()(memory_, memory_ + inputs_, scratch_); }

  // Fewer than W rows: one by one, which gives the same bits, or as a block that repeats the last.
  void few_rows(std::size_t r, std::size_t n, const Real* const* in, Real* const* out) {
    if constexpr (std::is_same_v<Real, double>)
      if (n <= W / 4) {
        for (; n > 0; --n, ++r) {
          const double* from[most];
          double* to[most];
          if (program_.in.size() > most || program_.out.size() > most) break;
          for (std::size_t k = 0; k < program_.in.size(); ++k) from[k] = in[k] + r * program_.in[k];
          for (std::size_t k = 0; k < program_.out.size(); ++k)
            to[k] = out[k] + r * program_.out[k];
          (void)program_.code->one()(from, to);
        }
        if (n == 0) return;
      }
    V* x = memory_;
    for (std::size_t k = 0; k < program_.in.size(); x += program_.in[k++]) {
      const std::size_t columns = program_.in[k];
      Real* const end = std::copy_n(in[k] + r * columns, n * columns, copy_);
      for (std::size_t j = 0; j < (W - n) * columns; ++j) end[j] = *(end + j - columns);
      gather(copy_, columns, x);
    }
    run();
    const V* y = memory_ + inputs_;
    for (std::size_t k = 0; k < program_.out.size(); y += program_.out[k++]) {
      scatter(y, program_.out[k], copy_);
      std::copy_n(copy_, n * program_.out[k], out[k] + r * program_.out[k]);
    }
  }
  static constexpr std::size_t most = 32;  // arrays

  // Number by number; lanes from n on repeat lane n − 1.
  static void elements(const std::vector<std::size_t>& columns, V* x, std::size_t n,
                       const auto& value) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (std::size_t c = 0; c < columns[k]; ++c, ++x)
        for (std::size_t l = 0; l < W; ++l)
          reinterpret_cast<Real*>(x)[l] = value(k, c, std::min(l, n - 1));
  }
  void write(const std::vector<std::size_t>& columns, std::size_t n, const auto& to) const {
    const V* y = memory_ + inputs_;
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (std::size_t c = 0; c < columns[k]; ++c, ++y)
        for (std::size_t l = 0; l < n; ++l) to(k, c, l, reinterpret_cast<const Real*>(y)[l]);
  }

  // ---- transposition

  // t[0 … side − 1] becomes the transpose of its squares: for blocks of 1, 2, … the off-diagonal
  // blocks are swapped.
  template <int Block, std::size_t... K>
  static void swap(V& a, V& b, std::index_sequence<K...>) {
    const V x = a, y = b;
    a = __builtin_shufflevector(x, y, ((K & Block) ? W + K - Block : K)...);
    b = __builtin_shufflevector(x, y, ((K & Block) ? W + K : K + Block)...);
  }
  static void transpose(V* t) {
    constexpr auto lanes = std::make_index_sequence<W>();
    swap<1>(t[0], t[1], lanes);
    if constexpr (side == 4) {
      swap<1>(t[2], t[3], lanes);
      swap<2>(t[0], t[2], lanes);
      swap<2>(t[1], t[3], lanes);
    }
  }
  template <std::size_t... K>
  static auto doubled(auto low, auto high, std::index_sequence<K...>) {
    return __builtin_shufflevector(low, high, K...);
  }
  // Squares of rows j, j + side, …
  static V squares(const Real* from, std::size_t row) {
    auto at = [&](int k) -> Q { return *reinterpret_cast<const Place*>(from + k * side * row); };
    if constexpr (W == side) {
      return at(0);
    } else if constexpr (W == 2 * side) {
      return doubled(at(0), at(1), std::make_index_sequence<W>());
    } else {
      constexpr auto half = std::make_index_sequence<W / 2>();
      return doubled(doubled(at(0), at(1), half), doubled(at(2), at(3), half),
                     std::make_index_sequence<W>());
    }
  }
  template <int First, std::size_t... K>
  static Q square(V x, std::index_sequence<K...>) {
    return __builtin_shufflevector(x, x, (First + K)...);
  }

  static V load(const Real* from) { return *reinterpret_cast<const U*>(from); }
  static void store(Real* to, V x) { *reinterpret_cast<U*>(to) = x; }

  // Rows of one or two numbers fill whole registers.
  template <std::size_t... K>
  static void gather_pairs(const Real* from, V* x, std::index_sequence<K...>) {
    const V a = load(from), b = load(from + W);
    x[0] = __builtin_shufflevector(a, b, (2 * K)...);
    x[1] = __builtin_shufflevector(a, b, (2 * K + 1)...);
  }
  template <std::size_t... K>
  static void scatter_pairs(const V* y, Real* to, std::index_sequence<K...>) {
    store(to, __builtin_shufflevector(y[0], y[1], (K / 2 + (K % 2) * W)...));
    store(to + W, __builtin_shufflevector(y[0], y[1], (W / 2 + K / 2 + (K % 2) * W)...));
  }

  static void gather(const Real* from, std::size_t columns, V* x) {
    if (columns == 1) {
      *x = load(from);
      return;
    }
    if (columns == 2) return gather_pairs(from, x, std::make_index_sequence<W>());
    if (columns < side) {
      for (std::size_t c = 0; c < columns; ++c)
        for (int l = 0; l < W; ++l)
          reinterpret_cast<Real*>(x + c)[l] = from[static_cast<std::size_t>(l) * columns + c];
      return;
    }
    constexpr auto each = std::make_index_sequence<side>();
    for (std::size_t at = 0; at < columns; at += side)  // the last square overlaps another
      gather_square(from, columns, std::min(at, columns - side), x, each);
  }
  template <std::size_t... J>
  static void gather_square(const Real* from, std::size_t columns, std::size_t c, V* x,
                            std::index_sequence<J...>) {
    V t[side] = {squares(from + J * columns + c, columns)...};
    transpose(t);
    ((x[c + J] = t[J]), ...);
  }
  static void scatter(const V* y, std::size_t columns, Real* to) {
    if (columns == 1) return store(to, *y);
    if (columns == 2) return scatter_pairs(y, to, std::make_index_sequence<W>());
    if (columns < side) {
      for (std::size_t c = 0; c < columns; ++c)
        for (int l = 0; l < W; ++l)
          to[static_cast<std::size_t>(l) * columns + c] = reinterpret_cast<const Real*>(y + c)[l];
      return;
    }
    constexpr auto each = std::make_index_sequence<side>();
    for (std::size_t at = 0; at < columns; at += side)
      scatter_square(y, columns, std::min(at, columns - side), to, each);
  }
  template <std::size_t... J>
  static void scatter_square(const V* y, std::size_t columns, std::size_t c, Real* to,
                             std::index_sequence<J...>) {
    V t[side] = {y[c + J]...};
    transpose(t);
    (place(t[J], to + J * columns + c, columns, std::make_index_sequence<W / side>()), ...);
  }
  template <std::size_t... S>
  static void place(V t, Real* to, std::size_t columns, std::index_sequence<S...>) {
    ((*reinterpret_cast<Place*>(to + S * side * columns) =
          square<S * side>(t, std::make_index_sequence<side>())),
     ...);
  }

  const MachineProgram& program_;
  std::size_t inputs_ = 0, outputs_ = 0;
  V* memory_;  // inputs, outputs
  void* scratch_;
  Real* copy_;  // W rows of one argument
};

template <class Real, class Isa>
std::unique_ptr<MachineRows<Real>> make_machine_rows(const MachineProgram& program) {
  return std::make_unique<MachineRowsOf<Real, Isa>>(program);
}
template <class Isa>
MachineSet machine_set() {
  return {Isa::name, make_machine_rows<double, Isa>, make_machine_rows<float, Isa>};
}

}  // namespace parid::runtime
