#include "hardware/serial/serial_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "parid/error.hpp"

namespace parid::hardware {
namespace {

using Kind = SerialInstruction::Kind;

// Gives addresses to words, the lowest free one first.
class Addresses {
 public:
  int take() {
    const auto at = std::find(busy_.begin(), busy_.end(), false);
    const int address = static_cast<int>(at - busy_.begin());
    if (at == busy_.end())
      busy_.push_back(true);
    else
      *at = true;
    return address;
  }
  void give_back(int address) { busy_[static_cast<std::size_t>(address)] = false; }
  std::size_t size() const { return busy_.size(); }

 private:
  std::vector<bool> busy_;
};

class SerialAssembly {
 public:
  explicit SerialAssembly(FixedGraph f) : m_{.fixed = std::move(f)} {
    const Graph& g = m_.fixed.graph;
    last_use_.assign(g.size(), -1);
    address_.assign(g.size(), -1);
    for (Id id = 0; id < g.size(); ++id) {
      const Node& n = g[id];
      if (n.op == Op::constant || n.op == Op::input) continue;
      if (n.op != Op::sin && n.op != Op::cos && n.op != Op::neg && n.op != Op::add &&
          n.op != Op::sub && n.op != Op::mul)
        throw Error(
            "the serial machine multiplies, adds and rotates; this quantity divides or compares: "
            "choose another machine");
      for (const Id in : n.operands()) last_use_[in] = static_cast<long>(id);
    }
    for (const Named& o : g.outputs()) last_use_[o.id] = static_cast<long>(g.size());
  }

  SerialMachine done() {
    const Graph& g = m_.fixed.graph;
    // inputs first, in the order in which they arrive; then constants, which nothing overwrites
    for (const Named& in : g.inputs()) address_[in.id] = places_.take();
    m_.inputs = static_cast<int>(g.inputs().size());
    const auto negated = [&] {
      for (Id id = 0; id < g.size(); ++id)
        if (g[id].op == Op::neg && last_use_[id] >= 0) return true;
      return false;
    };
    if (negated()) {  // is computed as 0 - x
      zero_ = places_.take();
      initial_[zero_] = 0;
    }
    for (Id id = 0; id < g.size(); ++id)
      if (g[id].op == Op::constant && last_use_[id] >= 0) {
        address_[id] = places_.take();
        initial_[address_[id]] = m_.fixed.constant[id];
      }
    for (Id id = 0; id < g.size(); ++id) node(id);
    for (const Named& o : g.outputs()) {
      SerialInstruction i;
      i.kind = Kind::output;
      i.x = i.y = address_[o.id];
      m_.program.push_back(i);
    }
    m_.outputs = static_cast<int>(g.outputs().size());
    for (const auto& [instruction, right] : right_) m_.lift = std::max(m_.lift, 1 - right);
    for (const auto& [instruction, right] : right_) {
      const int down = right - 1 + m_.lift;
      m_.program[instruction].down = down;
      m_.most_down = std::max(m_.most_down, down);
    }
    m_.memory.assign(places_.size(), 0);
    for (const auto& [at, value] : initial_) m_.memory[static_cast<std::size_t>(at)] = value;
    return std::move(m_);
  }

 private:
  void release(Id operand, Id reader) {
    const Op op = m_.fixed.graph[operand].op;
    // an input's place may be used again: the next sample is loaded after this one is finished
    if (op != Op::constant && last_use_[operand] == static_cast<long>(reader) &&
        !released_[operand]) {
      released_[operand] = true;
      places_.give_back(address_[operand]);
    }
  }

  void node(Id id) {
    const Graph& g = m_.fixed.graph;
    const Node& n = g[id];
    if (n.op == Op::constant || n.op == Op::input || last_use_[id] < 0) return;
    if (n.op == Op::sin || n.op == Op::cos) {
      sine(id);
      return;
    }
    const Id a = n.in[0], b = n.op == Op::neg ? n.in[0] : n.in[1];
    const FixedFormat fa = m_.fixed.format[a], fb = m_.fixed.format[b], to = m_.fixed.format[id];
    SerialInstruction i;
    int right = 0;
    if (n.op == Op::mul) {
      ++m_.multiplications;
      i.kind = Kind::product;
      i.x = address_[a];
      i.y = address_[b];
      right = fa.fraction + fb.fraction - to.fraction;
    } else if (n.op == Op::neg) {
      ++m_.additions;
      i.x = address_[a];
      i.y = zero_;
      i.minus_x = true;
      right = fa.fraction - to.fraction;
    } else {
      ++m_.additions;
      // y is the operand with fewer fraction bits, which is shifted to the left
      const bool swap = fb.fraction > fa.fraction;
      i.x = address_[swap ? b : a];
      i.y = address_[swap ? a : b];
      i.up = std::abs(fa.fraction - fb.fraction);
      i.minus_x = swap && n.op == Op::sub;
      i.minus_y = !swap && n.op == Op::sub;
      right = std::max(fa.fraction, fb.fraction) - to.fraction;
      m_.most_up = std::max(m_.most_up, i.up);
    }
    for (const Id in : n.operands()) release(in, id);
    i.to = address_[id] = places_.take();
    right_.emplace_back(m_.program.size(), right);
    m_.program.push_back(i);
  }

  // Sine and cosine of an angle are one instruction, at the first that is needed.
  void sine(Id id) {
    const Graph& g = m_.fixed.graph;
    const Id angle = g[id].in[0];
    if (address_[id] >= 0) {
      release(angle, id);
      return;
    }
    SerialInstruction i;
    i.kind = Kind::sine;
    i.x = address_[angle];
    i.to = places_.take();
    i.y = places_.take();
    ++m_.angles;
    bool used[2] = {false, false};
    for (Id other = id; other < g.size(); ++other) {
      const Node& n = g[other];
      if ((n.op != Op::sin && n.op != Op::cos) || n.in[0] != angle || last_use_[other] < 0)
        continue;
      const bool cosine = n.op == Op::cos;
      address_[other] = cosine ? i.y : i.to;
      used[cosine ? 1 : 0] = true;
    }
    if (!used[0]) places_.give_back(i.to);
    if (!used[1]) places_.give_back(i.y);
    m_.program.push_back(i);
    release(angle, id);
  }

  SerialMachine m_;
  Addresses places_;
  std::vector<long> last_use_;  // by node: the last reader
  std::vector<int> address_;
  std::map<Id, bool> released_;
  std::map<int, Raw> initial_;
  std::vector<std::pair<std::size_t, int>> right_;  // shift of each instruction's exact result
  int zero_ = 0;
};

}  // namespace

SerialMachine serial_machine(FixedGraph f) {
  if (f.word > longest_serial_word)
    throw Error(fmt::format("`serial`: words of {} bits; the serial machine has at most {}", f.word,
                            longest_serial_word));
  SerialMachine m = SerialAssembly(std::move(f)).done();
  if (std::max(2 * m.fixed.word, m.fixed.word + m.most_up + 1) + m.lift > 126)
    throw Error(
        "`serial`: the formats of this computation differ by too many bits; use shorter words");
  return m;
}

int SerialMachine::clocks(SerialInstruction::Kind kind) const {
  switch (kind) {
    case Kind::sum: return 4;                           // read, add, round, write
    case Kind::product: return 4 + booth_steps();       // read, start, …, round, write
    case Kind::sine: return 7 + fixed.sin_cos.turns();  // two results to round and write
    case Kind::output: return 3;                        // read, present, accepted
  }
  return 0;
}
int SerialMachine::output_clocks() const { return outputs * clocks(Kind::output); }
int SerialMachine::interval() const {
  int sum = load_clocks() + 1;  // and the first instruction is fetched
  for (const SerialInstruction& i : program) sum += clocks(i.kind);
  return sum;
}

std::vector<Raw> run(const SerialMachine& m, std::span<const Raw> inputs) {
  std::vector<Raw> memory = m.memory, out;
  auto at = [&](int address) -> Raw& { return memory[static_cast<std::size_t>(address)]; };
  for (int k = 0; k < m.inputs; ++k) at(k) = inputs[static_cast<std::size_t>(k)];
  for (const SerialInstruction& i : m.program) {
    if (i.kind == Kind::output) {
      out.push_back(at(i.x));
      continue;
    }
    if (i.kind == Kind::sine) {
      const SinCos<Raw> both = m.fixed.sin_cos(at(i.x));
      at(i.to) = both.sin;
      at(i.y) = both.cos;
      continue;
    }
    Raw exact = 0;
    if (i.kind == Kind::product) {
      exact = at(i.x) * at(i.y);
    } else {
      const Raw x = at(i.x), y = at(i.y) << i.up;
      exact = (i.minus_x ? -x : x) + (i.minus_y ? -y : y);
    }
    const Raw low = (exact << m.lift) >> i.down;
    at(i.to) = (low + 1) >> 1;
  }
  return out;
}

}  // namespace parid::hardware
