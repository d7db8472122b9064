// A machine that a controller may run on, as data: a file of targets/, or one of the user's.
//
// Every figure of a file needs a source in its table [sources], under the same key. What is not
// known is absent: a price of 0 is a price, an absent one is unknown.

#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "design/layer.hpp"
#include "graph/graph.hpp"

namespace parid::design {

enum class TargetKind {
  processors,  // programs of one or several processors
  fpga,        // fixed-point machines of multipliers, adders and sine units
  array,       // Lathrop's arrays of vector processors
  pipeline,    // inverse kinematics with a fixed interval and latency
};
const char* name_of(TargetKind);

enum class WordType { float64, float32 };

struct EmbeddedTarget {
  const char* name;  // "cortex-m4f", of targets/cortex-m4f.toml
  const char* text;
};
std::span<const EmbeddedTarget> embedded_targets();  // by name

// Seconds per operation; `sine` is a sine with its cosine.
struct OperationTimes {
  double add = 0, multiply = 0, divide = 0, square_root = 0, sine = 0;

  double of(const Counts&) const;
};

struct Target {
  std::string id, title;
  TargetKind kind = TargetKind::processors;
  WordType word = WordType::float64;
  std::optional<int> most_processors;  // none: any number
  std::optional<double> clock;         // Hz
  OperationTimes time;
  // Numbers of operations are those of the equations as written, as the papers count, instead of
  // those of the generated program.
  bool as_written = false;
  double overhead = 0;  // s, of every period: interrupt, sensors, drives
  double jitter = 0;    // s, by which a torque may be later than computed
  // Of a message between processors: s, and s per number. On a bus all messages share one medium;
  // else each pair of processors has its own link for each direction.
  double message_start = 0, message_word = 0;
  bool bus = false;
  std::optional<long> program_memory, data_memory;  // bytes, of each processor
  std::optional<double> bytes_per_operation;        // of code

  // Of an FPGA.
  long luts = 0, multipliers = 0;
  std::array<int, 2> multiplier_bits{};  // of the operands of one multiplier
  int lut_inputs = 6;                    // of one lookup table

  double interval = 0, latency = 0;  // s, of a pipeline

  std::optional<double> price, power;  // of each device: USD, W
  int processors_per_device = 1;
  std::map<std::string, std::string> source;  // by key: where the figure comes from

  double seconds_of(const Counts& c) const { return time.of(c); }
};

// By id of targets/, or a path that ends in .toml. Throws Error with file, line and remedy; of an
// unknown id with all ids and the nearest one.
Target target(const std::string& id_or_path);
Target parse_target(const std::string& text, const std::string& file);
// The file, for `parid design --target ID --json` and for measured machines.
std::string toml_of(const Target&);

// "4x cortex-m4f", "4xcortex-m4f" or "cortex-m4f": a number of processors, if one is given. Throws
// as target(), and Error for a number beyond the target's.
struct AskedTarget {
  Target target;
  std::optional<int> processors;
};
AskedTarget asked_target(const std::string& text);

}  // namespace parid::design
