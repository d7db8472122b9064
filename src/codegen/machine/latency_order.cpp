#include "codegen/machine/latency_order.hpp"

#include <algorithm>

namespace parid::codegen {

void order_by_latency(StraightCode& code) {
  constexpr std::size_t window = 64;
  constexpr int issue = 2;  // operations at a time
  auto latency = [](VectorOp op) {
    switch (op) {
      case VectorOp::div:
      case VectorOp::sqrt: return 15;
      case VectorOp::bit_and:
      case VectorOp::bit_and_not:
      case VectorOp::bit_or:
      case VectorOp::bit_xor:
      case VectorOp::shift_left:
      case VectorOp::shift_right:
      case VectorOp::spread_sign:
      case VectorOp::int_add:
      case VectorOp::int_sub:
      case VectorOp::select:
      case VectorOp::choose:
      case VectorOp::xor_and: return 1;
      default: return 4;
    }
  };
  const std::vector<VectorStep> steps = std::move(code.steps);
  code.steps.clear();
  code.steps.reserve(steps.size());
  std::vector<int> ready(code.values.size(), 0);  // the time at which a value is there
  for (const VectorStep& s : steps)
    if (s.op != VectorOp::store) ready[s.to] = -1;  // not scheduled yet
  std::vector<VectorStep> waiting;
  std::size_t next = 0;
  int time = 0, issued = 0;
  while (next < steps.size() || !waiting.empty()) {
    while (next < steps.size() && waiting.size() < window) waiting.push_back(steps[next++]);
    std::size_t best = waiting.size();
    int best_time = 0;
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      const VectorStep& s = waiting[k];
      const std::uint32_t in[] = {s.a, s.b, s.c};
      int at = 0;
      for (int j = 0; j < operands_of(s.op) && at >= 0; ++j)
        at = ready[in[j]] < 0 ? -1 : std::max(at, ready[in[j]]);
      if (at < 0) continue;
      if (best == waiting.size() || at < best_time) {
        best = k;
        best_time = at;
      }
      if (best_time <= time) break;
    }
    if (best_time > time) {
      time = best_time;
      issued = 0;
    }
    const VectorStep s = waiting[best];
    waiting.erase(waiting.begin() + static_cast<long>(best));
    if (s.op != VectorOp::store) ready[s.to] = time + latency(s.op);
    code.steps.push_back(s);
    if (++issued == issue) {
      ++time;
      issued = 0;
    }
  }
}

}  // namespace parid::codegen
