#include "codegen/machine/straight_code.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "codegen/emit/body.hpp"
#include "codegen/machine/latency_order.hpp"
#include "graph/passes.hpp"
#include "scalar/angle.hpp"

namespace parid::codegen {

int operands_of(VectorOp op) {
  switch (op) {
    case VectorOp::sqrt:
    case VectorOp::shift_left:
    case VectorOp::shift_right:
    case VectorOp::spread_sign:
    case VectorOp::low:
    case VectorOp::upper_half:
    case VectorOp::odd:
    case VectorOp::store: return 1;
    case VectorOp::mul_add:
    case VectorOp::mul_sub:
    case VectorOp::sub_mul:
    case VectorOp::select:
    case VectorOp::choose:
    case VectorOp::xor_and: return 3;
    default: return 2;
  }
}

namespace {

using Val = std::uint32_t;
constexpr Val nothing = StraightCode::no_value;

class Lowering {
 public:
  Lowering(const Graph& g, const MachineTarget& target, bool one_sample)
      : g_(g), target_(target), one_(one_sample), width_(one_sample ? Width::one : Width::full) {
    value_.assign(g.size(), nothing);
  }

  StraightCode run() {
    angles_ = angles(g_);
    angle_of_.assign(g_.size(), -1);
    for (std::size_t k = 0; k < angles_.size(); ++k) {
      if (angles_[k].sine) angle_of_[*angles_[k].sine] = static_cast<int>(k);
      if (angles_[k].cosine) angle_of_[*angles_[k].cosine] = static_cast<int>(k);
    }
    turn_.resize(angles_.size());
    if (target_.set != VectorSet::sse2) {
      fused_ = fused_operands(g_);
      gone_ = fused_products(g_, fused_);
    } else {
      fused_.assign(g_.size(), not_fused);
      gone_.assign(g_.size(), false);
    }
    if (one_) turn_together();
    std::vector<std::vector<std::uint32_t>> named(g_.size());
    for (std::size_t k = 0; k < g_.outputs().size(); ++k)
      named[g_.outputs()[k].id].push_back(static_cast<std::uint32_t>(k));
    for (Id id = 0; id < g_.size(); ++id) {
      if (row(g_[id].op).arity > 0 && !gone_[id] && value_[id] == nothing) lower(id);
      for (const std::uint32_t k : named[id]) step(VectorOp::store, width_, at(id), 0, 0, k, false);
    }
    if (code_.far != nothing)
      code_.far = step(VectorOp::bit_and, Width::pack, code_.far, bits(sign_bit(), Width::pack));
    remove_unneeded();
    order_by_latency(code_);
    return std::move(code_);
  }

 private:
  void remove_unneeded() {  // a sine of which only the cosine is used
    std::vector<bool> needed(code_.values.size());
    if (code_.far != nothing) needed[code_.far] = true;
    std::vector<VectorStep> kept;
    for (auto s = code_.steps.rbegin(); s != code_.steps.rend(); ++s) {
      if (s->op != VectorOp::store && !needed[s->to]) continue;
      const Val in[] = {s->a, s->b, s->c};
      for (int k = 0; k < operands_of(s->op); ++k) needed[in[k]] = true;
      kept.push_back(*s);
    }
    code_.steps.assign(kept.rbegin(), kept.rend());
  }

  // ---- values

  Val made(Width width) {
    code_.values.push_back({Value::none, width, 0, 0});
    return static_cast<Val>(code_.values.size() - 1);
  }
  Val step(VectorOp op, Width width, Val a, Val b = 0, Val c = 0, std::uint32_t immediate = 0,
           bool result = true) {
    const Val to = result ? made(width) : 0;
    code_.steps.push_back({op, width, immediate, to, a, b, c});
    return to;
  }
  Val bits(std::uint64_t number, Width width) {
    const std::uint64_t key = number * 4 + static_cast<std::uint64_t>(width);
    std::vector<Val>& same = constants_[key];
    for (const Val v : same)
      if (code_.values[v].number == number && code_.values[v].width == width) return v;
    code_.values.push_back({Value::constant, width, 0, number});
    same.push_back(static_cast<Val>(code_.values.size() - 1));
    return same.back();
  }
  Val number(double x, Width width) {
    return bits(target_.single_precision ? std::bit_cast<std::uint32_t>(static_cast<float>(x))
                                         : std::bit_cast<std::uint64_t>(x),
                width);
  }
  Val input(std::uint32_t index, Width width) {
    code_.values.push_back({Value::input, width, index, 0});
    return static_cast<Val>(code_.values.size() - 1);
  }
  Val at(Id id) {
    if (value_[id] != nothing) return value_[id];
    const Node& n = g_[id];
    if (n.op == Op::constant) return value_[id] = number(n.value(), width_);
    if (n.op == Op::input) return value_[id] = input(n.in[0], width_);
    lower(id);
    return value_[id];
  }

  // ---- operations

  bool fma() const { return target_.set != VectorSet::sse2; }
  std::uint64_t sign_bit() const {
    return target_.single_precision ? 0x80000000u : 0x8000000000000000u;
  }
  // The mask of a scalar is read as 128 bits.
  static Width of_mask(Width w) { return w == Width::one ? Width::half : w; }

  Val fused(VectorOp op, Width w, Val a, Val b, Val c) {
    if (fma()) return step(op, w, a, b, c);
    const Val product = step(VectorOp::mul, w, a, b);
    if (op == VectorOp::mul_add) return step(VectorOp::add, w, product, c);
    return op == VectorOp::mul_sub ? step(VectorOp::sub, w, product, c)
                                   : step(VectorOp::sub, w, c, product);
  }
  Val selected(Width w, Val mask, Val a, Val b) {
    if (target_.set == VectorSet::avx512) return step(VectorOp::choose, w, mask, a, b);
    if (target_.set == VectorSet::avx2) return step(VectorOp::select, w, mask, a, b);
    const Val yes = step(VectorOp::bit_and, w, mask, a);
    return step(VectorOp::bit_or, w, yes, step(VectorOp::bit_and_not, w, mask, b));
  }
  Val flipped(Width w, Val x, Val where, Val sign) {  // x, negative where `where & sign`
    if (target_.set == VectorSet::avx512) return step(VectorOp::xor_and, w, x, where, sign);
    return step(VectorOp::bit_xor, w, x, step(VectorOp::bit_and, w, where, sign));
  }

  void lower(Id id) {
    const Node& n = g_[id];
    const Width w = width_;
    if (n.op == Op::sin || n.op == Op::cos) {
      value_[id] = turned(angle_of_[id], n.op == Op::cos);
      return;
    }
    if (fused_[id] != not_fused) {
      const Node& product = g_[n.in[fused_[id]]];
      const Val c = at(n.in[1 - fused_[id]]), a = at(product.in[0]), b = at(product.in[1]);
      const VectorOp op = n.op == Op::add   ? VectorOp::mul_add
                          : fused_[id] == 0 ? VectorOp::mul_sub
                                            : VectorOp::sub_mul;
      value_[id] = step(op, w, a, b, c);
      return;
    }
    const Val a = at(n.in[0]);
    auto binary = [&](VectorOp op) { return step(op, w, a, at(n.in[1])); };
    switch (n.op) {
      case Op::add: value_[id] = binary(VectorOp::add); break;
      case Op::sub: value_[id] = binary(VectorOp::sub); break;
      case Op::mul: value_[id] = binary(VectorOp::mul); break;
      case Op::div: value_[id] = binary(VectorOp::div); break;
      case Op::less: value_[id] = binary(VectorOp::less); break;
      case Op::sqrt: value_[id] = step(VectorOp::sqrt, w, a); break;
      case Op::neg: value_[id] = step(VectorOp::bit_xor, w, a, bits(sign_bit(), of_mask(w))); break;
      case Op::abs:
        value_[id] = step(VectorOp::bit_and, w, a, bits(sign_bit() - 1, of_mask(w)));
        break;
      case Op::select: {
        const Val b = at(n.in[1]), c = at(n.in[2]);
        value_[id] = selected(w, a, b, c);
        break;
      }
      default: value_[id] = a;
    }
  }

  // ---- sines and cosines: those of emit/sin_cos_text.cpp, where the method is explained

  struct Turn {
    Val sine = nothing, cosine = nothing;
  };
  Val polynomial(Width w, Val z, std::initializer_list<double> from_highest) {
    Val p = nothing;
    for (const double c : from_highest) {
      const Val k = number(c, w);
      p = p == nothing ? k : fused(VectorOp::mul_add, w, z, p, k);
    }
    return p;
  }

  Turn sin_cos(Width w, Val x) {
    auto add = [&](Val a, Val b) { return step(VectorOp::add, w, a, b); };
    auto sub = [&](Val a, Val b) { return step(VectorOp::sub, w, a, b); };
    auto mul = [&](Val a, Val b) { return step(VectorOp::mul, w, a, b); };
    auto less_product = [&](Val c, Val a, Val b) { return fused(VectorOp::sub_mul, w, a, b, c); };
    auto k = [&](double c) { return number(c, w); };
    Val b, s, c;
    int unit;  // the bit of b that is the unit of n
    if (target_.single_precision) {
      unit = 5;
      b = step(VectorOp::bit_and, w, fused(VectorOp::mul_add, w, x, k(0.63661977f), k(393216.5f)),
               bits(0xffffffe0u, w));
      const Val n = sub(b, k(393216.0f));
      const Val v = less_product(less_product(x, n, k(1.5703125f)), n, k(4.837513e-4f));
      const Val r = less_product(v, n, k(7.549790e-8f)), z = mul(r, r);
      const Val ps = polynomial(w, z, {-1.9587e-4f, 8.33275e-3f, -1.6666665e-1f});
      const Val pc = polynomial(w, z, {2.4547e-5f, -1.388830e-3f, 4.1666646e-2f});
      s = fused(VectorOp::mul_add, w, mul(r, z), ps, r);
      c = fused(VectorOp::mul_add, w, mul(z, z), pc, less_product(k(1.0), z, k(0.5)));
    } else {
      unit = 20;
      b = step(VectorOp::bit_and, w,
               fused(VectorOp::mul_add, w, x, k(0.6366197723675814), k(6442450944.5)),
               bits(0xfffffffffff00000u, w));
      const Val n = sub(b, k(6442450944.0));
      const Val u = less_product(x, n, k(1.5707963267341256));
      const Val v = mul(n, k(6.077100506303966e-11)), r = sub(u, v);
      const Val t = less_product(sub(sub(u, r), v), n, k(2.0222662487959506e-21));
      const Val z = mul(r, r);
      const Val ps =
          polynomial(w, z,
                     {1.591805913698281e-10, -2.5051130870968297e-08, 2.755731609787775e-06,
                      -0.0001984126983674956, 0.008333333333330943, -0.16666666666666666});
      const Val pc =
          polynomial(w, z,
                     {-1.1382588535352522e-11, 2.0876145659059344e-09, -2.755731726880539e-07,
                      2.4801587298760048e-05, -0.0013888888888887393, 0.041666666666666664});
      const Val h = mul(k(0.5), z), c0 = sub(k(1.0), h);
      s = add(r, fused(VectorOp::mul_add, w, mul(r, z), ps, mul(t, c0)));
      const Val rest = fused(VectorOp::mul_sub, w, mul(z, z), pc, mul(r, t));
      c = add(c0, add(sub(sub(k(1.0), c0), h), rest));
    }
    // n odd: swap sine and cosine. Their signs: bit 1 of n, and of n + 1.
    const int top_bit = target_.single_precision ? 31 : 63;
    const std::uint64_t sign = sign_bit();
    const auto shift = static_cast<std::uint32_t>(top_bit - unit);
    Val sine, cosine;
    if (target_.set == VectorSet::sse2) {
      const Val lowest =
          step(VectorOp::bit_and, w, step(VectorOp::shift_right, w, b, 0, 0, unit), bits(1, w));
      const Val swap = step(VectorOp::bit_and, w, step(VectorOp::bit_xor, w, s, c),
                            step(VectorOp::int_sub, w, bits(0, w), lowest));
      sine = step(VectorOp::bit_xor, w, s, swap);
      cosine = step(VectorOp::bit_xor, w, c, swap);
    } else {
      Val odd = step(VectorOp::shift_left, w, b, 0, 0, shift);
      if (target_.set == VectorSet::avx512) odd = step(VectorOp::spread_sign, w, odd);
      sine = selected(w, odd, c, s);
      cosine = selected(w, odd, s, c);
    }
    const Val top = step(VectorOp::shift_left, w, b, 0, 0, shift - 1), mask = bits(sign, w);
    const Val next = step(VectorOp::int_add, w, top, bits(sign >> 1, w));
    return {flipped(w, sine, top, mask), flipped(w, cosine, next, mask)};
  }

  // Of angle k, as a value of the usual width.
  Val turned(int k, bool cosine) {
    Turn& t = turn_[static_cast<std::size_t>(k)];
    if (!one_) {
      if (t.sine == nothing) t = sin_cos(width_, at(angles_[static_cast<std::size_t>(k)].of));
      return cosine ? t.cosine : t.sine;
    }
    if (t.sine == nothing) {  // depends on more than inputs: alone, in all lanes
      const Val x = at(angles_[static_cast<std::size_t>(k)].of);
      turn_pack({static_cast<std::size_t>(k)}, {x});
    }
    return lane(cosine ? t.cosine : t.sine, lane_[static_cast<std::size_t>(k)]);
  }

  // ---- one sample: sines of several angles at once

  int pack_lanes() const { return target_.set == VectorSet::sse2 ? 2 : 4; }

  // Whether a node is made of inputs and numbers with a few operations.
  bool near_inputs(Id id, int& left) const {
    const Node& n = g_[id];
    if (--left < 0) return false;
    if (n.op == Op::input || n.op == Op::constant) return true;
    if (n.op != Op::add && n.op != Op::sub && n.op != Op::mul && n.op != Op::neg) return false;
    for (const Id a : n.operands())
      if (!near_inputs(a, left)) return false;
    return true;
  }

  void turn_together() {
    lane_.assign(angles_.size(), 0);
    std::vector<std::size_t> some;
    auto flush = [&] {
      if (some.empty()) return;
      std::vector<Val> x;
      for (const std::size_t k : some) x.push_back(at(angles_[k].of));
      turn_pack(some, x);
      some.clear();
    };
    for (std::size_t k = 0; k < angles_.size(); ++k) {
      int left = 12;
      if (near_inputs(angles_[k].of, left)) some.push_back(k);
      if (some.size() == static_cast<std::size_t>(pack_lanes())) flush();
    }
    flush();
  }
  void turn_pack(const std::vector<std::size_t>& which, const std::vector<Val>& x) {
    const Val packed = gathered(x);
    const Val size =
        step(VectorOp::bit_and, Width::pack, packed, bits(sign_bit() - 1, Width::pack));
    // The bits of numbers that are not negative have the order of the numbers, and NaN is above.
    const Val beyond =
        step(VectorOp::int_sub, Width::pack, number(plain_angle<double>, Width::pack), size);
    code_.far =
        code_.far == nothing ? beyond : step(VectorOp::bit_or, Width::pack, code_.far, beyond);
    const Turn t = sin_cos(Width::pack, packed);
    for (std::size_t j = 0; j < which.size(); ++j) {
      turn_[which[j]] = t;
      lane_[which[j]] = static_cast<int>(j);
    }
  }

  // Scalars in the lanes of a pack; missing ones repeat.
  Val gathered(const std::vector<Val>& x) {
    const auto lanes = static_cast<std::size_t>(pack_lanes());
    auto of = [&](std::size_t j) { return x[std::min(j, x.size() - 1)]; };
    const Val first = step(VectorOp::pair, lanes == 2 ? Width::pack : Width::half, of(0), of(1));
    if (lanes == 2) return first;
    const Val second = x.size() <= 2 ? first : step(VectorOp::pair, Width::half, of(2), of(3));
    return step(VectorOp::join, Width::pack, first, second);
  }
  Val lane(Val pack, int k) {
    if (k >= 2) {
      const auto [there, is_new] = upper_.try_emplace(pack, nothing);
      if (is_new) there->second = step(VectorOp::upper_half, Width::half, pack);
      pack = there->second;
    }
    return step(k % 2 == 1 ? VectorOp::odd : VectorOp::low, Width::one, pack);
  }

  const Graph& g_;
  const MachineTarget& target_;
  bool one_;
  Width width_;
  StraightCode code_;
  std::vector<Val> value_;
  std::unordered_map<std::uint64_t, std::vector<Val>> constants_;
  std::unordered_map<Val, Val> upper_;
  std::vector<Angle> angles_;
  std::vector<int> angle_of_, lane_;
  std::vector<Turn> turn_;
  std::vector<int> fused_;
  std::vector<bool> gone_;
};

}  // namespace

StraightCode straight_code(const Graph& any, const MachineTarget& target, bool one_sample,
                           std::string& note) {
  if (uses(any, Op::atan2)) {
    note = "the program has arc tangents, which machine code does not compute";
    return {};
  }
  const Graph g = live(any);  // depth first: values are used soon after they are computed
  return Lowering(g, target, one_sample).run();
}

}  // namespace parid::codegen
