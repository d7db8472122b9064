#include "design/target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/text/spelling.hpp"
#include "model/format/toml/toml_document.hpp"
#include "model/format/toml/toml_value.hpp"
#include "parid/error.hpp"

namespace parid::design {
namespace {

using model::Field, model::TomlTable;

constexpr const char* targets_page = "docs/design.md";

constexpr const char* kind_names[] = {"processors", "fpga", "array", "pipeline"};

constexpr Field target_fields[] = {
    {"title", "what it is, in a few words", "\"Cortex-M7 at 600 MHz\""},
    {"kind", "\"processors\", \"fpga\", \"array\" or \"pipeline\"", "\"processors\""},
    {"word", "\"float64\" or \"float32\"", "\"float32\""},
    {"processors", "the largest number of processors", "4"},
    {"processors_per_device", "processors that one price and power is for", "2"},
    {"clock", "Hz", "600e6"},
    {"counts", "\"generated\" or \"as_written\"", "\"generated\""},
    {"cycles", "a table of clock cycles by operation", "{add = 1, multiply = 1, divide = 14}"},
    {"seconds", "a table of seconds by operation", "{add = 45e-6, multiply = 45e-6}"},
    {"overhead", "s in every period", "2e-6"},
    {"jitter", "s", "1e-6"},
    {"message", "a table of s per message and per number", "{start = 1e-6, word = 4e-6}"},
    {"memory", "a table of bytes", "{program = 1048576, data = 131072}"},
    {"fpga", "a table of the device's size",
     "{luts = 7680, multipliers = 0, multiplier_bits = [16, 16]}"},
    {"pipeline", "a table of s", "{interval = 40e-6, latency = 720e-6}"},
    {"price", "USD per device", "23.80"},
    {"power", "W per device", "0.33"},
    {"sources", "a table of where figures come from", "{clock = \"data sheet, page 1\"}"},
};
constexpr Field operation_fields[] = {
    {"add", "a number", "1"},
    {"multiply", "a number", "1"},
    {"divide", "a number", "14"},
    {"square_root", "a number", "14"},
    {"sine", "a number, of a sine with its cosine", "40"},
};
constexpr Field message_fields[] = {
    {"start", "s per message", "1e-6"},
    {"word", "s per number", "4e-6"},
    {"bus", "true or false", "true"},
};
constexpr Field memory_fields[] = {
    {"program", "bytes", "1048576"},
    {"data", "bytes", "131072"},
    {"bytes_per_operation", "bytes of code per operation", "9"},
};
constexpr Field fpga_fields[] = {
    {"luts", "a number of lookup tables", "7680"},
    {"multipliers", "a number of multipliers", "28"},
    {"multiplier_bits", "the bits of both operands", "[18, 18]"},
    {"lut_inputs", "4 or 6", "6"},
};
constexpr Field pipeline_fields[] = {
    {"interval", "s between two results", "40e-6"},
    {"latency", "s from an input to its result", "720e-6"},
};

// Keys whose values are no figures.
constexpr const char* plain_keys[] = {"title", "kind", "counts", "sources"};

class TargetReader {
 public:
  TargetReader(const toml::table& root, const std::string& file)
      : root_(root), file_(file), top_(root, file, "", target_fields) {}

  Target read(std::string id) {
    top_.refuse_unknown(targets_page);
    Target t;
    t.id = std::move(id);
    t.title = required_word("title");
    const std::string kind = required_word("kind");
    const auto* at = std::find(std::begin(kind_names), std::end(kind_names), kind);
    if (at == std::end(kind_names)) top_.refuse("kind", fmt::format("kind is '{}'", kind));
    t.kind = static_cast<TargetKind>(at - std::begin(kind_names));
    t.clock = positive(top_, "clock");
    operations(t);
    devices(t);
    if (t.kind == TargetKind::fpga) fpga(t);
    if (t.kind == TargetKind::pipeline) pipeline(t);
    sources(t);
    return t;
  }

 private:
  std::string required_word(const char* key) const {
    const auto word = top_.word(key);
    if (!word) top_.refuse(key, fmt::format("{} is missing", key));
    return *word;
  }
  static std::optional<double> positive(const TomlTable& t, const char* key) {
    const auto x = t.number(key);
    if (x && !(*x > 0)) t.refuse(key, fmt::format("{} is {}, which is not above zero", key, *x));
    return x;
  }
  static std::optional<double> at_least_zero(const TomlTable& t, const char* key) {
    const auto x = t.number(key);
    if (x && !(*x >= 0)) t.refuse(key, fmt::format("{} is {}, which is negative", key, *x));
    return x;
  }
  static std::optional<long> whole(const TomlTable& t, const char* key, double least) {
    const auto x = t.number(key);
    if (!x) return std::nullopt;
    if (!(*x >= least && *x <= 1e12) || *x != std::floor(*x))
      t.refuse(key, fmt::format("{} is {}", key, *x));
    return static_cast<long>(*x);
  }

  void operations(Target& t) const {
    const toml::table *cycles = top_.subtable("cycles"), *seconds = top_.subtable("seconds");
    if (cycles && seconds) top_.refuse("seconds", "both cycles and seconds are given");
    if (cycles && !t.clock) top_.refuse("clock", "cycles are given, but no clock");
    const toml::table* given = cycles ? cycles : seconds;
    const bool needed = t.kind == TargetKind::processors || t.kind == TargetKind::array;
    if (!given && needed) top_.refuse("seconds", "neither cycles nor seconds are given");
    if (!given) return;
    const TomlTable table(*given, file_, cycles ? "cycles" : "seconds", operation_fields);
    table.refuse_unknown(targets_page);
    const double unit = cycles ? 1 / *t.clock : 1;
    const auto of = [&](const char* key, double otherwise) {
      return at_least_zero(table, key).value_or(otherwise / unit) * unit;
    };
    if (!table.has("add") || !table.has("multiply"))
      top_.refuse(cycles ? "cycles" : "seconds", "add and multiply are needed");
    t.time.add = of("add", 0);
    t.time.multiply = of("multiply", 0);
    t.time.divide = of("divide", t.time.multiply);
    t.time.square_root = of("square_root", t.time.divide);
    // Generated programs compute a sine with its cosine by polynomials of about this size.
    t.time.sine = of("sine", 10 * t.time.multiply + 12 * t.time.add);
  }

  void devices(Target& t) const {
    if (const auto word = top_.word("word")) {
      if (*word != "float64" && *word != "float32")
        top_.refuse("word", fmt::format("word is '{}'", *word));
      t.word = *word == "float32" ? WordType::float32 : WordType::float64;
    }
    if (const auto counts = top_.word("counts")) {
      if (*counts != "generated" && *counts != "as_written")
        top_.refuse("counts", fmt::format("counts is '{}'", *counts));
      t.as_written = *counts == "as_written";
    }
    if (const auto p = whole(top_, "processors", 1)) t.most_processors = static_cast<int>(*p);
    t.processors_per_device = static_cast<int>(whole(top_, "processors_per_device", 1).value_or(1));
    t.overhead = at_least_zero(top_, "overhead").value_or(0);
    t.jitter = at_least_zero(top_, "jitter").value_or(0);
    if (const toml::table* given = top_.subtable("message")) {
      const TomlTable table(*given, file_, "message", message_fields);
      table.refuse_unknown(targets_page);
      t.message_start = at_least_zero(table, "start").value_or(0);
      t.message_word = at_least_zero(table, "word").value_or(0);
      t.bus = table.flag("bus").value_or(false);
    }
    if (const toml::table* given = top_.subtable("memory")) {
      const TomlTable table(*given, file_, "memory", memory_fields);
      table.refuse_unknown(targets_page);
      t.program_memory = whole(table, "program", 0);
      t.data_memory = whole(table, "data", 0);
      t.bytes_per_operation = at_least_zero(table, "bytes_per_operation");
    }
    t.price = at_least_zero(top_, "price");
    t.power = at_least_zero(top_, "power");
  }

  void fpga(Target& t) const {
    const toml::table* given = top_.subtable("fpga");
    if (!given) top_.refuse("fpga", "the device's size is missing");
    if (!t.clock) top_.refuse("clock", "the clock is missing");
    const TomlTable table(*given, file_, "fpga", fpga_fields);
    table.refuse_unknown(targets_page);
    t.luts = whole(table, "luts", 1).value_or(0);
    t.multipliers = whole(table, "multipliers", 0).value_or(0);
    if (t.luts == 0) top_.refuse("fpga", "luts is missing");
    t.lut_inputs = static_cast<int>(whole(table, "lut_inputs", 4).value_or(6));
    if (t.lut_inputs != 4 && t.lut_inputs != 6)
      table.refuse("lut_inputs", fmt::format("lut_inputs is {}", t.lut_inputs));
    if (const auto bits = table.numbers("multiplier_bits", {2})) {
      for (const double b : *bits)
        if (!(b >= 2 && b <= 64) || b != std::floor(b))
          table.refuse("multiplier_bits", fmt::format("multiplier_bits is {}", *bits));
      t.multiplier_bits = {static_cast<int>((*bits)[0]), static_cast<int>((*bits)[1])};
    } else if (t.multipliers > 0) {
      top_.refuse("fpga", "multiplier_bits is missing");
    }
  }

  void pipeline(Target& t) const {
    const toml::table* given = top_.subtable("pipeline");
    if (!given) top_.refuse("pipeline", "interval and latency are missing");
    const TomlTable table(*given, file_, "pipeline", pipeline_fields);
    table.refuse_unknown(targets_page);
    t.interval = positive(table, "interval").value_or(0);
    t.latency = positive(table, "latency").value_or(0);
    if (t.interval == 0 || t.latency == 0)
      top_.refuse("pipeline", "interval and latency are needed");
  }

  void sources(Target& t) const {
    if (const toml::table* given = root_["sources"].as_table())
      for (const auto& [key, node] : *given) {
        if (!node.is_string())
          throw Error({file_, static_cast<int>(node.source().begin.line)},
                      fmt::format("the source of '{}' is not a text", key.str()),
                      "name where the figure comes from");
        t.source[std::string(key.str())] = node.as_string()->get();
      }
    for (const auto& [key, node] : root_) {
      const std::string name(key.str());
      const bool plain = std::any_of(std::begin(plain_keys), std::end(plain_keys),
                                     [&](const char* k) { return name == k; });
      if (!plain && t.source.find(name) == t.source.end())
        throw Error({file_, static_cast<int>(node.source().begin.line)},
                    fmt::format("'{}' has no source", name),
                    fmt::format("add it to [sources], such as {} = \"data sheet, page 1\"", name));
    }
    for (const auto& [key, text] : t.source)
      if (!root_.contains(key))
        throw Error({file_, static_cast<int>(root_["sources"].node()->source().begin.line)},
                    fmt::format("[sources] has '{}', which the file does not give", key),
                    "remove it, or give the figure");
  }

  const toml::table& root_;
  std::string file_;
  TomlTable top_;
};

}  // namespace

const char* name_of(TargetKind k) { return kind_names[static_cast<std::size_t>(k)]; }

double OperationTimes::of(const Counts& c) const {
  return static_cast<double>(c.additions) * add +
         static_cast<double>(c.multiplications) * multiply +
         static_cast<double>(c.divisions) * divide +
         static_cast<double>(c.square_roots) * square_root +
         static_cast<double>(c.sin_cos + c.atan2) * sine;
}

Target parse_target(const std::string& text, const std::string& file) {
  const toml::table root = model::parsed_toml(text, file);
  return TargetReader(root, file).read(std::filesystem::path(file).stem().string());
}

Target target(const std::string& id) {
  if (id.ends_with(".toml"))
    return parse_target(model::toml_text(id, "a target such as", "machine.toml"), id);
  std::vector<std::string> known;
  for (const EmbeddedTarget& t : embedded_targets()) {
    if (id == t.name) return parse_target(t.text, fmt::format("targets/{}.toml", t.name));
    known.push_back(t.name);
  }
  throw Error(fmt::format("unknown target '{}'; {}choose from {}, or give a .toml file", id,
                          base::did_you_mean(id, known), fmt::join(known, ", ")));
}

AskedTarget asked_target(const std::string& text) {
  int count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stop == end || *stop != 'x') return {target(text), std::nullopt};
  std::string rest(stop + 1, end);
  rest.erase(0, rest.find_first_not_of(' ') == std::string::npos ? rest.size()
                                                                 : rest.find_first_not_of(' '));
  Target t = target(rest);
  if (t.kind != TargetKind::processors)
    throw Error(fmt::format("'{}': {} is not a number of processors; give {}", text, t.id, t.id));
  if (count < 1 || count > 1000)
    throw Error(fmt::format("'{}': give 1 to 1000 processors, such as 4x {}", text, t.id));
  if (t.most_processors && count > *t.most_processors)
    throw Error(fmt::format("'{}': {} has at most {} processors", text, t.id, *t.most_processors));
  return {std::move(t), count};
}

std::string toml_of(const Target& t) {
  std::string s =
      fmt::format("title = {}\nkind = \"{}\"\n", model::toml_quoted(t.title), name_of(t.kind));
  const auto number = [](double x) { return model::toml_number(x); };
  const auto has = [&](const char* key) { return t.source.count(key) > 0; };
  if (t.as_written) s += "counts = \"as_written\"\n";
  if (has("word"))
    s += fmt::format("word = \"{}\"\n", t.word == WordType::float32 ? "float32" : "float64");
  if (t.most_processors) s += fmt::format("processors = {}\n", *t.most_processors);
  if (has("processors_per_device"))
    s += fmt::format("processors_per_device = {}\n", t.processors_per_device);
  if (t.clock) s += fmt::format("clock = {}\n", number(*t.clock));
  if (has("overhead")) s += fmt::format("overhead = {}\n", number(t.overhead));
  if (has("jitter")) s += fmt::format("jitter = {}\n", number(t.jitter));
  if (t.price) s += fmt::format("price = {}\n", number(*t.price));
  if (t.power) s += fmt::format("power = {}\n", number(*t.power));
  for (const bool cycles : {true, false}) {
    if (!has(cycles ? "cycles" : "seconds")) continue;
    const double unit = cycles ? *t.clock : 1;
    s += fmt::format("{} = {{add = {}, multiply = {}, divide = {}, square_root = {}, sine = {}}}\n",
                     cycles ? "cycles" : "seconds", number(t.time.add * unit),
                     number(t.time.multiply * unit), number(t.time.divide * unit),
                     number(t.time.square_root * unit), number(t.time.sine * unit));
  }
  if (has("message"))
    s += fmt::format("message = {{start = {}, word = {}, bus = {}}}\n", number(t.message_start),
                     number(t.message_word), t.bus);
  if (has("memory")) {
    std::vector<std::string> parts;
    if (t.program_memory) parts.push_back(fmt::format("program = {}", *t.program_memory));
    if (t.data_memory) parts.push_back(fmt::format("data = {}", *t.data_memory));
    if (t.bytes_per_operation)
      parts.push_back(fmt::format("bytes_per_operation = {}", number(*t.bytes_per_operation)));
    s += fmt::format("memory = {{{}}}\n", fmt::join(parts, ", "));
  }
  if (t.kind == TargetKind::fpga) {
    s += fmt::format("fpga = {{luts = {}, lut_inputs = {}, multipliers = {}", t.luts, t.lut_inputs,
                     t.multipliers);
    if (t.multipliers > 0)
      s += fmt::format(", multiplier_bits = [{}, {}]", t.multiplier_bits[0], t.multiplier_bits[1]);
    s += "}\n";
  }
  if (t.kind == TargetKind::pipeline)
    s += fmt::format("pipeline = {{interval = {}, latency = {}}}\n", number(t.interval),
                     number(t.latency));
  s += "\n[sources]\n";
  for (const auto& [key, text] : t.source)
    s += fmt::format("{} = {}\n", key, model::toml_quoted(text));
  return s;
}

}  // namespace parid::design
