#include "graph/tape.hpp"

#include <algorithm>

#include "graph/passes.hpp"

namespace parid::graph {
namespace {

constexpr std::uint32_t nowhere = ~0u;

Step step_of(Op op) {
  // clang-format off
  switch (op) {
    case Op::add: return Step::add;
    case Op::sub: return Step::sub;
    case Op::mul: return Step::mul;
    case Op::div: return Step::div;
    case Op::neg: return Step::neg;
    case Op::sqrt: return Step::sqrt;
    case Op::abs: return Step::abs;
    case Op::sin:
    case Op::cos: return Step::sin_cos;
    case Op::atan2: return Step::atan2;
    case Op::less: return Step::less;
    case Op::select: return Step::select;
    case Op::constant:
    case Op::input: break;
  }
  // clang-format on
  return Step::load;
}

// Instructions over nodes, each value separate; slots are assigned later.
class Writing {
 public:
  explicit Writing(const Graph& g) : g_(g), loaded_(g.size()) {
    const std::vector<int> fused = fused_operands(g);
    const std::vector<bool> gone = fused_products(g, fused);
    std::vector<std::vector<std::uint32_t>> named(g.size());  // the outputs of a node
    for (std::size_t k = 0; k < g.outputs().size(); ++k)
      named[g.outputs()[k].id].push_back(static_cast<std::uint32_t>(k));
    for (Id id = 0; id < g.size(); ++id) {
      if (row(g[id].op).arity > 0 && !gone[id]) write(id, fused[id]);
      for (const std::uint32_t k : named[id]) {
        need(id);
        all.push_back({Step::store, k, id, id, id});
      }
    }
  }

  std::vector<Instruction> all;

 private:
  void need(Id id) {
    if (g_[id].op != Op::input || loaded_[id]) return;
    loaded_[id] = true;
    all.push_back({Step::load, id, g_[id].in[0]});
  }
  void write(Id id, int fused) {
    const Node& n = g_[id];
    if (n.op == Op::sin || n.op == Op::cos) {
      const auto partner = g_.find(n.op == Op::sin ? Op::cos : Op::sin, n.in[0]);
      if (partner && *partner < id) return;  // computed with it
      need(n.in[0]);
      const Id sine = n.op == Op::sin ? id : partner.value_or(nowhere);
      const Id cosine = n.op == Op::cos ? id : partner.value_or(nowhere);
      all.push_back({Step::sin_cos, sine, n.in[0], n.in[0], n.in[0], cosine});
      return;
    }
    if (fused == not_fused) {
      std::array<Id, 3> in{n.in[0], n.in[0], n.in[0]};
      for (int k = 0; k < row(n.op).arity; ++k) in[k] = n.in[k];
      for (const Id a : in) need(a);
      all.push_back({step_of(n.op), id, in[0], in[1], in[2]});
      return;
    }
    const Node& product = g_[n.in[fused]];
    const Id other = n.in[1 - fused];
    const Step step = n.op == Op::add ? Step::mul_add : fused == 0 ? Step::mul_sub : Step::sub_mul;
    for (const Id a : {product.in[0], product.in[1], other}) need(a);
    all.push_back({step, id, product.in[0], product.in[1], other});
  }

  const Graph& g_;
  std::vector<bool> loaded_;
};

}  // namespace

Tape::Tape(const Graph& any) {
  const Graph g = live(any);  // depth first: values are used soon after they are computed
  inputs = static_cast<std::uint32_t>(g.inputs().size());
  outputs = static_cast<std::uint32_t>(g.outputs().size());
  instructions = Writing(g).all;

  std::vector<std::size_t> last(g.size());
  auto reads = [](const Instruction& i) {
    return i.step == Step::load ? std::array{nowhere, nowhere, nowhere} : std::array{i.a, i.b, i.c};
  };
  auto writes = [](const Instruction& i) {
    return i.step == Step::store ? std::array{nowhere, nowhere}
                                 : std::array{i.to, i.step == Step::sin_cos ? i.also : nowhere};
  };
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    for (const std::uint32_t id : writes(instructions[k]))
      if (id != nowhere) last[id] = k;
    for (const std::uint32_t id : reads(instructions[k]))
      if (id != nowhere) last[id] = k;
  }

  // Constants are numbered from `far` until the number of slots is known.
  constexpr std::uint32_t far = 1u << 31;
  std::vector<std::uint32_t> slot(g.size(), nowhere), free;
  auto taken = [&] {
    if (free.empty()) free.push_back(slots++);
    const std::uint32_t s = free.back();
    free.pop_back();
    return s;
  };
  auto give_back = [&](std::uint32_t id, std::size_t k) {  // when it is no longer needed
    if (id == nowhere || last[id] != k || g[id].op == Op::constant || slot[id] == nowhere) return;
    free.push_back(slot[id]);
    slot[id] = nowhere;
  };
  auto where = [&](std::uint32_t id) {
    if (g[id].op == Op::constant && slot[id] == nowhere) {
      slot[id] = far + static_cast<std::uint32_t>(constants.size());
      constants.push_back(g[id].value());
    }
    return slot[id];
  };
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    Instruction& i = instructions[k];
    const Instruction was = i;
    if (i.step != Step::load) {
      i.a = where(i.a);
      i.b = where(i.b);
      i.c = where(i.c);
    }
    for (const std::uint32_t id : reads(was)) give_back(id, k);  // the result may reuse its slot
    if (i.step == Step::store) continue;
    const std::array<std::uint32_t*, 2> to{&i.to, &i.also};
    for (int half = 0; half < 2; ++half) {
      const std::uint32_t id = writes(was)[half];
      if (id != nowhere) *to[half] = slot[id] = taken();
    }
    if (i.step == Step::sin_cos)  // an unused half goes to a scratch slot
      for (std::uint32_t* half : to)
        if (*half == nowhere) free.push_back(*half = taken());
    for (const std::uint32_t id : writes(was)) give_back(id, k);
  }
  auto settled = [&](std::uint32_t& s) {
    if (s >= far) s = slots + (s - far);
  };
  for (Instruction& i : instructions)
    if (i.step != Step::load) {
      settled(i.a);
      settled(i.b);
      settled(i.c);
    }
}

}  // namespace parid::graph
