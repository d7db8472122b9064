#include "hardware/pipeline/boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace parid::hardware {

std::vector<int> BoxDesign::inputs() const {
  std::vector<int> in;
  for (std::size_t s = 0; s < signals.size(); ++s)
    if (signals[s].box < 0) in.push_back(static_cast<int>(s));
  return in;
}

std::vector<std::string> BoxDesign::input_names() const {
  std::vector<std::string> names;
  for (const int s : inputs()) names.push_back(signals[s].name);
  return names;
}

Network BoxDesign::network() const {
  Network n;
  for (const Signal& s : signals) n.signals.push_back({s.box, s.sign ? 0 : 1, s.name});
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    Network::Operation op{1, {}, fmt::format("T{} {}", b + 1, name_of(boxes[b].box))};
    for (const BoxOperand* o : {&boxes[b].x, &boxes[b].y, &boxes[b].z}) {
      if (!o->is_constant()) op.in.push_back(o->signal);
      op.in.insert(op.in.end(), o->signs.begin(), o->signs.end());
    }
    n.operations.push_back(op);
  }
  for (const Output& o : outputs) {
    if (!o.value.is_constant()) n.outputs.push_back(o.value.signal);
    n.outputs.insert(n.outputs.end(), o.value.signs.begin(), o.value.signs.end());
  }
  return n;
}

int BoxDesign::count(Box box) const {
  return static_cast<int>(
      std::count_if(boxes.begin(), boxes.end(), [box](const BoxUse& b) { return b.box == box; }));
}

OutputTurns::OutputTurns(const BoxDesign::Output& o)
    : half(atan2(Quad(0), Quad(-1))), offset(o.offset - o.middle) {
  turn = half + half;
  offset = offset - Quad(std::nearbyint(static_cast<double>(offset / turn))) * turn;
}

std::string text(const BoxDesign& d) {
  auto operand = [&](const BoxOperand& o) {
    std::string t = o.negated ? "-" : "";
    for (const int s : o.signs) t += d.signals[s].name + "*";
    return t + (o.is_constant() ? fmt::format("{:.6g}", static_cast<double>(o.constant))
                                : d.signals[o.signal].name);
  };
  std::string lines;
  for (std::size_t b = 0; b < d.boxes.size(); ++b)
    lines += fmt::format("T{} {} x={} y={} z={}\n", b + 1, name_of(d.boxes[b].box),
                         operand(d.boxes[b].x), operand(d.boxes[b].y), operand(d.boxes[b].z));
  auto plus = [](Quad x) {
    const double value = static_cast<double>(x);
    return value == 0 ? std::string()
                      : fmt::format(" {} {:.6g}", value < 0 ? '-' : '+', std::abs(value));
  };
  for (const int s : d.inputs())
    if (!(d.signals[s].offset == 0))
      lines +=
          fmt::format("{0} = {0} at the port{1}\n", d.signals[s].name, plus(d.signals[s].offset));
  for (const auto& o : d.outputs) {
    lines += fmt::format("{} = {}{}", o.name, operand(o.value), plus(o.offset));
    if (o.wraps)
      lines +=
          fmt::format(", reduced to within half a turn of {:.6g}", static_cast<double>(o.middle));
    lines += "\n";
  }
  return lines;
}

}  // namespace parid::hardware
