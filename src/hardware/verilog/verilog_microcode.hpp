// The operations of one shared unit at each clock of the interval, as a table in Verilog.
//
// Fields have names. A field that never changes is a constant wire; the others are concatenated to
// a word that is read one clock ahead, so that the table adds no delay.

#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include "hardware/layer.hpp"
#include "hardware/verilog/verilog_parts.hpp"

namespace parid::hardware {

class Microcode {
 public:
  Microcode(std::string unit, int interval)
      : unit_(std::move(unit)), interval_(interval), said_(static_cast<std::size_t>(interval)) {}

  void set(const std::string& field, int clock, Raw value) {
    auto& values = field_[field];
    values.resize(static_cast<std::size_t>(interval_));
    values[static_cast<std::size_t>(clock % interval_)] = {true, value};
  }
  void say(int clock, const std::string& text) {
    said_[static_cast<std::size_t>(clock % interval_)] = text;
  }

  // Declares the table, and wires of the given widths with the fields' names.
  void write(Lines& out, const std::map<std::string, int>& width, int phase_bits) {
    int bits = 0;
    std::vector<std::pair<std::string, int>> stored;
    for (auto& [name, values] : field_) {
      const int wide = width.at(name);
      if (wide == 0) continue;
      if (const auto only = constant(values)) {
        out.add("wire [{}:0] {}_{} = {};", wide - 1, unit_, name, verilog_number(*only, wide));
      } else {
        out.add("wire [{}:0] {}_{} = {}_code[{} +: {}];", wide - 1, unit_, name, unit_, bits, wide);
        stored.emplace_back(name, wide);
        bits += wide;
      }
    }
    if (bits == 0) return;
    out.add("reg [{}:0] {}_code;", bits - 1, unit_);
    out.open("always @(posedge clk) if (reset || go) case (next)");
    for (int clock = 0; clock < interval_; ++clock) {
      const auto at = static_cast<std::size_t>(clock);
      if (std::none_of(stored.begin(), stored.end(),
                       [&](const auto& f) { return field_[f.first][at].set; }))
        continue;
      out.add("{}: {}_code <= {};{}", verilog_number(clock, phase_bits), unit_, word(stored, at),
              said_[at].empty() ? "" : "  // " + said_[at]);
    }
    out.add("default: {}_code <= {};", unit_, word(stored, 0));
    out.close("endcase");
  }

 private:
  struct Value {
    bool set = false;
    Raw value = 0;
  };
  static std::optional<Raw> constant(const std::vector<Value>& values) {
    std::optional<Raw> only;
    for (const Value& v : values)
      if (v.set) {
        if (only && *only != v.value) return std::nullopt;
        only = v.value;
      }
    return only;
  }
  // The fields concatenated, the first lowest. An unused field has its value of the first clock
  // that uses it.
  std::string word(const std::vector<std::pair<std::string, int>>& stored, std::size_t clock) {
    std::string text;
    for (const auto& [name, wide] : stored) {
      const auto& values = field_[name];
      const auto asked =
          std::find_if(values.begin(), values.end(), [](const Value& v) { return v.set; });
      const Value& v = values[clock].set ? values[clock] : *asked;
      text = verilog_number(v.value, wide) + (text.empty() ? "" : ", ") + text;
    }
    return "{" + text + "}";
  }

  std::string unit_;
  int interval_;
  std::map<std::string, std::vector<Value>> field_;
  std::vector<std::string> said_;
};

}  // namespace parid::hardware
