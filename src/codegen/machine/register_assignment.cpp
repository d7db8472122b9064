#include "codegen/machine/register_assignment.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace parid::codegen {
namespace {

using Val = std::uint32_t;
constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
constexpr int nowhere = -1;

// Offsets from rdx begin here, so that more of them fit into one byte.
constexpr std::int32_t memory_bias = 128;

class RegisterAssignment {
 public:
  RegisterAssignment(const StraightCode& code, const MachineTarget& target,
                     const ArgumentPlaces& places, bool one_sample)
      : code_(code), target_(target), places_(places), one_(one_sample), encoder_(target.set) {
    const std::size_t values = code.values.size();
    reg_.assign(values, nowhere);
    slot_.assign(values, nowhere);
    held_.fill(StraightCode::no_value);
    find_uses();
  }

  MachineFunction run() {
    for (now_ = 0; now_ < code_.steps.size(); ++now_) {
      const VectorStep& s = code_.steps[now_];
      const Val in[] = {s.a, s.b, s.c};
      for (int k = 0; k < operands_of(s.op); ++k)
        while (next_[in[k]] < end_[in[k]] && uses_[next_[in[k]]] <= now_) ++next_[in[k]];
      pinned_ = 0;
      translate(s);
    }
    MachineFunction f;
    if (code_.far != StraightCode::no_value) {
      pinned_ = 0;
      const int r = in_register(code_.far);
      f.far = new_slot(Width::pack);
      encoder_.vector(move(Width::pack, true), bits_of(Width::pack), r, nowhere,
                      at_slot(f.far, bytes_of(Width::pack)));
    }
    f.code = encoder_.code();
    f.references = encoder_.references();
    f.pool = std::move(pool_);
    f.memory = memory_;
    return f;
  }

 private:
  // ---- uses of values

  void find_uses() {
    const std::size_t values = code_.values.size();
    std::vector<std::uint32_t> count(values + 1);
    auto each = [&](auto&& f) {
      for (std::size_t i = 0; i < code_.steps.size(); ++i) {
        const VectorStep& s = code_.steps[i];
        const Val in[] = {s.a, s.b, s.c};
        for (int k = 0; k < operands_of(s.op); ++k) f(in[k], static_cast<std::uint32_t>(i));
      }
      if (code_.far != StraightCode::no_value)
        f(code_.far, static_cast<std::uint32_t>(code_.steps.size()));
    };
    each([&](Val v, std::uint32_t) { ++count[v + 1]; });
    for (std::size_t v = 0; v < values; ++v) count[v + 1] += count[v];
    uses_.resize(count[values]);
    next_.assign(count.begin(), count.end() - 1);
    end_ = next_;
    each([&](Val v, std::uint32_t i) { uses_[end_[v]++] = i; });
  }
  std::uint32_t next_use(Val v) const { return next_[v] < end_[v] ? uses_[next_[v]] : never; }
  bool dies(Val v) const { return next_use(v) == never; }

  // ---- sizes

  int element() const { return target_.single_precision ? 4 : 8; }
  int bytes_of(Width w) const {
    switch (w) {
      case Width::one: return element();
      case Width::half: return 16;
      case Width::pack: return target_.set == VectorSet::sse2 ? 16 : 32;
      default: return target_.register_bytes();
    }
  }
  int bits_of(Width w) const { return w == Width::one ? 128 : 8 * bytes_of(w); }

  // ---- instructions

  VectorCode arithmetic(int code, Width w) const {
    const bool single = target_.single_precision;
    const auto prefix = w == Width::one ? (single ? VectorCode::pF3 : VectorCode::pF2)
                                        : (single ? VectorCode::none : VectorCode::p66);
    return {prefix, VectorCode::m0F, static_cast<std::uint8_t>(code), false, !single, false};
  }
  VectorCode bitwise(int code) const {  // scalars too: of 128 bits
    return arithmetic(code, Width::half);
  }
  VectorCode integer(int code_of_eight_bytes, int code_of_four) const {
    const bool single = target_.single_precision;
    return {VectorCode::p66,
            VectorCode::m0F,
            static_cast<std::uint8_t>(single ? code_of_four : code_of_eight_bytes),
            false,
            !single,
            false};
  }
  VectorCode move(Width w, bool to_memory) const { return arithmetic(to_memory ? 0x11 : 0x10, w); }
  void copy(int to, int from, Width w) {
    encoder_.vector(bitwise(0x28), bits_of(w), to, nowhere, Operand::vector(from));
  }

  // ---- places of values

  Operand at_slot(std::int32_t slot, int bytes) const {
    return {Operand::memory, rdx, slot - memory_bias, false, bytes};
  }
  std::int32_t new_slot(Width w) {
    std::vector<std::int32_t>& free = free_slots_[static_cast<std::size_t>(w)];
    if (!free.empty()) {
      const std::int32_t slot = free.back();
      free.pop_back();
      return slot;
    }
    const int bytes = bytes_of(w);
    memory_ = (memory_ + bytes - 1) / bytes * bytes;
    memory_ += bytes;
    return memory_ - bytes;
  }
  // Constants in all lanes by the instruction that reads them.
  bool broadcasts(const Value& v) const {
    return v.home == Value::constant && target_.set == VectorSet::avx512 && v.width != Width::one;
  }
  std::int32_t in_pool(const Value& v) {
    const int bytes = broadcasts(v) ? element() : bytes_of(v.width);
    const auto [there, is_new] = constants_.try_emplace({v.number, bytes}, 0);
    if (is_new) {
      while (pool_.size() % static_cast<std::size_t>(bytes) != 0) pool_.push_back(0);
      there->second = static_cast<std::int32_t>(pool_.size());
      for (int k = 0; k < bytes; k += element())
        for (int j = 0; j < element(); ++j)
          pool_.push_back(static_cast<std::uint8_t>(v.number >> (8 * j)));
    }
    return there->second;
  }
  int pointer(bool out, std::int32_t array) {
    constexpr int registers[] = {rax, rcx, 8, 9, 10, 11};
    const std::int32_t key = 2 * array + (out ? 1 : 0);
    for (std::size_t k = 0; k < pointers_.size(); ++k)
      if (pointers_[k] == key) return registers[k];
    const std::size_t k = turn_++ % pointers_.size();
    pointers_[k] = key;
    encoder_.load_pointer(registers[k], out ? rsi : rdi, 8 * array);
    return registers[k];
  }
  Operand in_memory(Val v, int bytes) {
    const Value& value = code_.values[v];
    if (value.home == Value::constant)
      return {Operand::pool, 0, in_pool(value), broadcasts(value), bytes};
    if (value.home == Value::input) {
      const ArgumentPlaces::Element e = places_.in[value.index];
      if (!one_) return {Operand::memory, rdi, e.element * target_.register_bytes(), false, bytes};
      return {Operand::memory, pointer(false, e.array), e.element * element(), false, bytes};
    }
    return at_slot(slot_[v], bytes);
  }
  // Whether an operation on so many bytes may read the value from memory.
  bool readable(Val v, int bytes) const {
    const Value& value = code_.values[v];
    if (bytes == element() || broadcasts(value)) return true;
    return bytes_of(value.width) == bytes;
  }
  void load(int to, Val v) {
    const Value& value = code_.values[v];
    if (!broadcasts(value)) {
      const int bytes = bytes_of(value.width);
      encoder_.vector(move(value.width, false), bits_of(value.width), to, nowhere,
                      in_memory(v, bytes));
      return;
    }
    Operand from = in_memory(v, element());
    from.broadcast = false;
    const int bits = bits_of(value.width);
    VectorCode code{VectorCode::p66, VectorCode::m0F38, 0x19, false, true, false};
    if (target_.single_precision) {
      code.code = 0x18;
      code.wide_evex = false;
    } else if (bits == 128) {
      code = {VectorCode::pF2, VectorCode::m0F, 0x12, false, true, false};
    }
    encoder_.vector(code, bits, to, nowhere, from);
  }

  // ---- registers

  void pin(int r) { pinned_ |= 1u << r; }
  int free_register() const {
    for (int r = 0; r < target_.registers(); ++r)
      if (held_[r] == StraightCode::no_value && !(pinned_ >> r & 1)) return r;
    return nowhere;
  }
  bool clean(Val v) const { return code_.values[v].home != Value::none || slot_[v] != nowhere; }
  // The register to give up: with the farthest next use; rather one that need not be written.
  int victim() const {
    int best = nowhere, best_clean = nowhere;
    std::uint32_t far = 0, far_clean = 0;
    for (int r = 0; r < target_.registers(); ++r) {
      if (pinned_ >> r & 1) continue;
      const std::uint32_t use = next_use(held_[r]);
      if (best == nowhere || use > far) {
        best = r;
        far = use;
      }
      if (clean(held_[r]) && (best_clean == nowhere || use > far_clean)) {
        best_clean = r;
        far_clean = use;
      }
    }
    if (best_clean == nowhere) return best;
    return far_clean - now_ > (far - now_) / 2 ? best_clean : best;
  }
  int take_register() {
    int r = free_register();
    if (r == nowhere) {
      r = victim();
      const Val v = held_[r];
      if (!clean(v) && !dies(v)) {
        const Width w = code_.values[v].width;
        slot_[v] = new_slot(w);
        encoder_.vector(move(w, true), bits_of(w), r, nowhere, at_slot(slot_[v], bytes_of(w)));
      }
      reg_[v] = nowhere;
      held_[r] = StraightCode::no_value;
    }
    pin(r);
    return r;
  }
  void hold(int r, Val v) {
    held_[r] = v;
    reg_[v] = r;
  }
  int in_register(Val v) {
    if (reg_[v] == nowhere) {
      const int r = take_register();
      load(r, v);
      hold(r, v);
    }
    pin(reg_[v]);
    return reg_[v];
  }
  // Whether a register is better used for this value, which is in memory, than for another.
  bool worth_register(Val v) const {
    if (dies(v)) return false;
    if (free_register() != nowhere) return true;
    const int r = victim();
    return r != nowhere && clean(held_[r]) && next_use(held_[r]) > next_use(v);
  }
  Operand operand(Val v, int bytes) {
    if (reg_[v] != nowhere || !readable(v, bytes) || worth_register(v))
      return Operand::vector(in_register(v));
    return in_memory(v, bytes);
  }
  // Registers of operands that are not needed any more: before the result takes one.
  void release_registers(const VectorStep& s) {
    const Val in[] = {s.a, s.b, s.c};
    for (int k = 0; k < operands_of(s.op); ++k) {
      const Val v = in[k];
      if (!dies(v) || reg_[v] == nowhere) continue;
      held_[reg_[v]] = StraightCode::no_value;
      pinned_ &= ~(1u << reg_[v]);
      reg_[v] = nowhere;
    }
  }
  // Their memory too: after the instruction, which may read it.
  void release(const VectorStep& s) {
    release_registers(s);
    const Val in[] = {s.a, s.b, s.c};
    for (int k = 0; k < operands_of(s.op); ++k) {
      const Val v = in[k];
      if (!dies(v) || slot_[v] == nowhere) continue;
      free_slots_[static_cast<std::size_t>(code_.values[v].width)].push_back(slot_[v]);
      slot_[v] = nowhere;
    }
  }
  // After an instruction whose result is in r, which may be the register of such an operand.
  void result_in(int r, const VectorStep& s) {
    release(s);
    hold(r, s.to);
  }

  bool three_operands() const { return target_.set != VectorSet::sse2; }

  void binary(const VectorStep& s, const VectorCode& code, bool commutative, int bytes,
              int immediate = X86Encoder::no_immediate, bool only_registers = false) {
    Val a = s.a, b = s.b;
    if (commutative) {
      const bool in_a = reg_[a] != nowhere, in_b = reg_[b] != nowhere;
      if ((!in_a && in_b) || (!in_a && !in_b && next_use(b) < next_use(a)) ||
          (in_a && in_b && !three_operands() && dies(b) && !dies(a)))
        std::swap(a, b);
    }
    if (!readable(b, bytes)) only_registers = true;
    if (reg_[b] != nowhere) pin(reg_[b]);
    const int first = in_register(a);
    const Operand last = only_registers ? Operand::vector(in_register(b)) : operand(b, bytes);
    const int bits = bytes == element() ? 128 : 8 * bytes;
    if (three_operands()) {
      release_registers(s);
      const int to = take_register();
      encoder_.vector(code, bits, to, first, last, immediate);
      return result_in(to, s);
    }
    int to = first;
    if (!dies(a)) {
      to = take_register();
      copy(to, first, s.width);
    }
    encoder_.vector(code, bits, to, to, last, immediate);
    result_in(to, s);
  }

  void unary_in_place(const VectorStep& s, auto&& instruction) {  // instruction(to, from)
    const int from = in_register(s.a);
    if (three_operands()) {
      release_registers(s);
      const int to = take_register();
      instruction(to, from);
      return result_in(to, s);
    }
    int to = from;
    if (!dies(s.a)) {
      to = take_register();
      copy(to, from, s.width);
    }
    instruction(to, to);
    result_in(to, s);
  }

  void shift(const VectorStep& s, int code8, int code4, int field, bool evex_only = false) {
    VectorCode code = integer(code8, code4);
    code.evex_only = evex_only;
    unary_in_place(s, [&](int to, int from) {
      encoder_.vector(code, bits_of(s.width), field, to, Operand::vector(from),
                      static_cast<int>(s.immediate));
    });
  }

  void fused(const VectorStep& s) {
    const Val x = s.a, y = s.b, c = s.c;
    const int bytes = bytes_of(s.width), bits = bits_of(s.width);
    for (const Val v : {x, y, c})
      if (reg_[v] != nowhere) pin(reg_[v]);
    // At most one operand is in memory: the one that is needed latest.
    Val in_mem = StraightCode::no_value;
    for (const Val v : {x, y, c})
      if (reg_[v] == nowhere && readable(v, bytes) &&
          (in_mem == StraightCode::no_value || next_use(v) > next_use(in_mem)))
        in_mem = v;
    for (const Val v : {x, y, c})
      if (v != in_mem) in_register(v);
    if (in_mem != StraightCode::no_value && (in_mem == x) + (in_mem == y) + (in_mem == c) > 1) {
      in_register(in_mem);
      in_mem = StraightCode::no_value;
    }
    if (in_mem != StraightCode::no_value && worth_register(in_mem)) {
      in_register(in_mem);
      in_mem = StraightCode::no_value;
    }
    auto place = [&](Val v) {
      return v == in_mem ? in_memory(v, bytes) : Operand::vector(reg_[v]);
    };
    auto emit = [&](int form, int to, int first, const Operand& last) {  // 0: 132, 1: 213, 2: 231
      const int row = s.op == VectorOp::mul_add ? 0x8 : s.op == VectorOp::mul_sub ? 0xA : 0xC;
      const bool wide = !target_.single_precision;
      const VectorCode code{
          VectorCode::p66,
          VectorCode::m0F38,
          static_cast<std::uint8_t>((0x90 + 0x10 * form) | row | (s.width == Width::one ? 1 : 0)),
          wide,
          wide,
          false};
      encoder_.vector(code, bits, to, first, last);
    };
    auto gone = [&](Val v) { return v != in_mem && dies(v); };
    auto with_product = [&](int to, Val other) {  // `to` holds one factor
      if (in_mem == c)
        emit(1, to, reg_[other], place(c));
      else
        emit(0, to, reg_[c], place(other));
    };
    if (gone(c)) {
      const Val first = in_mem == x ? y : x, last = in_mem == x ? x : y;
      const int to = reg_[c];
      emit(2, to, reg_[first], place(last));
      return result_in(to, s);
    }
    if (gone(x)) {
      const int to = reg_[x];
      with_product(to, y);
      return result_in(to, s);
    }
    if (gone(y)) {
      const int to = reg_[y];
      with_product(to, x);
      return result_in(to, s);
    }
    const int to = take_register();
    if (in_mem != StraightCode::no_value && in_mem != c) {
      load(to, in_mem);
      const Val other = in_mem == x ? y : x;
      emit(0, to, reg_[c], Operand::vector(reg_[other]));
    } else {
      if (in_mem == c)
        load(to, c);
      else
        copy(to, reg_[c], s.width);
      emit(2, to, reg_[x], Operand::vector(reg_[y]));
    }
    result_in(to, s);
  }

  void ternary_logic(const VectorStep& s, int table) {  // of a, which becomes the result
    for (const Val v : {s.a, s.b, s.c})
      if (reg_[v] != nowhere) pin(reg_[v]);
    const int a = in_register(s.a), b = in_register(s.b);
    const int bytes = std::max(16, bytes_of(s.width));
    const Operand c = operand(s.c, bytes);
    int to = a;
    if (!dies(s.a)) {
      to = take_register();
      copy(to, a, s.width);
    }
    const VectorCode code{VectorCode::p66, VectorCode::m0F3A,         0x25,
                          false,           !target_.single_precision, true};
    encoder_.vector(code, 8 * bytes, to, b, c, table);
    result_in(to, s);
  }

  void translate(const VectorStep& s) {
    const int bytes = bytes_of(s.width), packed = std::max(16, bytes);
    switch (s.op) {
      case VectorOp::add: return binary(s, arithmetic(0x58, s.width), true, bytes);
      case VectorOp::sub: return binary(s, arithmetic(0x5C, s.width), false, bytes);
      case VectorOp::mul: return binary(s, arithmetic(0x59, s.width), true, bytes);
      case VectorOp::div: return binary(s, arithmetic(0x5E, s.width), false, bytes);
      case VectorOp::bit_and: return binary(s, bitwise(0x54), true, packed);
      case VectorOp::bit_and_not: return binary(s, bitwise(0x55), false, packed);
      case VectorOp::bit_or: return binary(s, bitwise(0x56), true, packed);
      case VectorOp::bit_xor: return binary(s, bitwise(0x57), true, packed);
      case VectorOp::int_add: return binary(s, integer(0xD4, 0xFE), true, packed);
      case VectorOp::int_sub: return binary(s, integer(0xFB, 0xFA), false, packed);
      case VectorOp::shift_left: return shift(s, 0x73, 0x72, 6);
      case VectorOp::shift_right: return shift(s, 0x73, 0x72, 2);
      case VectorOp::spread_sign: return spread_sign(s);
      case VectorOp::mul_add:
      case VectorOp::mul_sub:
      case VectorOp::sub_mul: return fused(s);
      case VectorOp::choose: return ternary_logic(s, 0xCA);
      case VectorOp::xor_and: return ternary_logic(s, 0x78);
      case VectorOp::select: return select(s);
      case VectorOp::less: return less(s);
      case VectorOp::sqrt:
        return unary_in_place(s, [&](int to, int from) {
          const bool scalar = s.width == Width::one && three_operands();
          encoder_.vector(arithmetic(0x51, s.width), bits_of(s.width), to, scalar ? from : nowhere,
                          Operand::vector(from));
        });
      case VectorOp::odd:
        return unary_in_place(s, [&](int to, int from) {
          encoder_.vector(bitwise(0x15), 128, to, from, Operand::vector(from));
        });
      case VectorOp::low: return low(s);
      case VectorOp::upper_half:
        return unary_in_place(s, [&](int to, int from) {
          encoder_.vector({VectorCode::p66, VectorCode::m0F3A, 0x19}, 256, from, nowhere,
                          Operand::vector(to), 1);
        });
      case VectorOp::pair: return pair(s);
      case VectorOp::join:
        return binary(s, {VectorCode::p66, VectorCode::m0F3A, 0x18}, false, 32, 1, true);
      case VectorOp::store: return store(s);
    }
  }

  void spread_sign(const VectorStep& s) {  // vpsraq, vpsrad
    VectorCode code = integer(0x72, 0x72);
    code.evex_only = true;
    unary_in_place(s, [&](int to, int from) {
      encoder_.vector(code, bits_of(s.width), 4, to, Operand::vector(from),
                      target_.single_precision ? 31 : 63);
    });
  }

  void select(const VectorStep& s) {
    for (const Val v : {s.a, s.b, s.c})
      if (reg_[v] != nowhere) pin(reg_[v]);
    const int mask = in_register(s.a), otherwise = in_register(s.c);
    const int bytes = std::max(16, bytes_of(s.width));
    const Operand chosen = operand(s.b, bytes);
    release_registers(s);
    const int to = take_register();
    const VectorCode code{VectorCode::p66, VectorCode::m0F3A,
                          static_cast<std::uint8_t>(target_.single_precision ? 0x4A : 0x4B)};
    encoder_.vector(code, 8 * bytes, to, otherwise, chosen, mask << 4);
    result_in(to, s);
  }

  void less(const VectorStep& s) {
    VectorCode code = arithmetic(0xC2, s.width);
    constexpr int less_than = 1;
    if (target_.set != VectorSet::avx512)
      return binary(s, code, false, bytes_of(s.width), less_than);
    code.evex_only = true;
    if (reg_[s.b] != nowhere) pin(reg_[s.b]);
    const int first = in_register(s.a);
    const Operand last = operand(s.b, bytes_of(s.width));
    constexpr int k1 = 1;
    encoder_.vector(code, bits_of(s.width), k1, first, last, less_than);
    release_registers(s);
    const int to = take_register();
    const VectorCode spread{VectorCode::pF3, VectorCode::m0F38,         0x38,
                            false,           !target_.single_precision, true};
    encoder_.vector(spread, bits_of(s.width), to, nowhere, Operand::vector(k1));
    result_in(to, s);
  }

  void low(const VectorStep& s) {
    const int from = in_register(s.a);
    if (dies(s.a)) return result_in(from, s);
    const int to = take_register();
    copy(to, from, Width::half);
    result_in(to, s);
  }

  void pair(const VectorStep& s) {
    if (reg_[s.b] != nowhere)
      return binary(s, bitwise(0x14), false, 16, X86Encoder::no_immediate, true);
    // movhpd reads one number from memory
    const int first = in_register(s.a);
    if (reg_[s.b] != nowhere)
      return binary(s, bitwise(0x14), false, 16, X86Encoder::no_immediate, true);
    const Operand last = in_memory(s.b, element());
    if (three_operands()) {
      release_registers(s);
      const int to = take_register();
      encoder_.vector(bitwise(0x16), 128, to, first, last);
      return result_in(to, s);
    }
    int to = first;
    if (!dies(s.a)) {
      to = take_register();
      copy(to, first, Width::half);
    }
    encoder_.vector(bitwise(0x16), 128, to, to, last);
    result_in(to, s);
  }

  void store(const VectorStep& s) {
    const int from = in_register(s.a);
    const ArgumentPlaces::Element e = places_.out[s.immediate];
    const Operand to = one_ ? Operand{Operand::memory, pointer(true, e.array),
                                      e.element * element(), false, element()}
                            : Operand{Operand::memory, rsi, e.element * target_.register_bytes(),
                                      false, target_.register_bytes()};
    encoder_.vector(move(s.width, true), bits_of(s.width), from, nowhere, to);
    release(s);
  }

  const StraightCode& code_;
  const MachineTarget& target_;
  const ArgumentPlaces& places_;
  bool one_;
  X86Encoder encoder_;

  std::uint32_t now_ = 0;
  std::vector<std::uint32_t> uses_, next_, end_;  // all uses, and the range of each value
  std::vector<int> reg_;
  std::vector<std::int32_t> slot_;
  std::array<Val, 32> held_;
  std::uint32_t pinned_ = 0;  // registers that the present step needs

  std::int32_t memory_ = 0;
  std::array<std::vector<std::int32_t>, 4> free_slots_;
  std::vector<std::uint8_t> pool_;
  std::map<std::pair<std::uint64_t, int>, std::int32_t> constants_;
  std::array<std::int32_t, 6> pointers_{-1, -1, -1, -1, -1, -1};
  std::size_t turn_ = 0;
};

}  // namespace

MachineFunction with_registers(const StraightCode& code, const MachineTarget& target,
                               const ArgumentPlaces& places, bool one_sample) {
  return RegisterAssignment(code, target, places, one_sample).run();
}

}  // namespace parid::codegen
