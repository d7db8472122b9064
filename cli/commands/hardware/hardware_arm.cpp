#include "cli/commands/hardware/hardware_arm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/pipeline/run_boxes.hpp"
#include "hardware/serial_arm_hardware.hpp"
#include "hardware/verilog/pipeline_svg.hpp"
#include "hardware/verilog/verilog.hpp"

namespace parid::cli {
namespace {

std::vector<std::string> arm_ports(const SerialArmHardware& h) {
  std::vector<std::string> outputs;
  for (std::size_t k = 0; k < h.joints.size(); ++k)
    outputs.push_back(fmt::format("q{} '{}'", k + 1, h.joints[k]));
  return {fmt::format("inputs: pose of link '{}' in the robot's base frame: origin p in m, columns "
                      "n o a of its rotation; sign bits of the branch (1 means negative)",
                      h.link),
          fmt::format("outputs: joint positions of the robot file, angles within half a turn of "
                      "the middle of their limits: {}",
                      fmt::join(outputs, ", "))};
}

std::vector<EmittedFile> arm_files(const ArmRun& o, const SerialArmHardware& h,
                                   const Cordic<CordicFixed>& cordic, const std::string& name) {
  const int word = cordic.arithmetic.format.word;
  const auto in = input_ports(h.design, word), out = output_ports(h.design, word);
  const BoxRunner<CordicFixed> run(h.design, cordic);
  std::string sent, wanted, head;
  for (const auto& words : serial_arm_samples(h, cordic.arithmetic.format, o.samples, 1)) {
    sent += verilog_memory_line(in, words);
    wanted += verilog_memory_line(out, run(words));
  }
  for (const std::string& line : arm_ports(h)) head += "// " + codegen::comment_line(line) + "\n";
  return {{name + ".v", head + verilog_machine(h.design, h.schedule, cordic, name)},
          {"parid_cordic.v", verilog_boxes_of(h.design)},
          {name + "_bench.v", verilog_bench(name, in, out, o.samples)},
          {name + "_in.hex", sent},
          {name + "_out.hex", wanted},
          {name + ".svg", pipeline_svg(h.design, h.schedule)}};
}

}  // namespace

int run_serial_arm(const ArmRun& o, const Robot& robot) {
  const SerialArmHardware h = serial_arm_hardware(robot, o.link);
  const FixedFormat word = serial_arm_format(h, o.word);
  const Cordic<CordicFixed> cordic = cordic_fixed(word, o.guard, o.normalising);
  const IkAccuracy e = serial_arm_accuracy(h, cordic);
  const std::string name = codegen::identifier(robot.name()) + "_ik";
  const auto written =
      o.output ? write_files(*o.output, arm_files(o, h, cordic, name)) : std::vector<std::string>{};
  Json kinds = Json::object();
  for (std::size_t b = 0; b < box_names.size(); ++b)
    if (const int n = h.design.count(static_cast<Box>(b))) kinds[box_names[b]] = n;
  if (o.json) {
    print({{"schema", o.schema},
           {"robot", robot.name()},
           {"what", "ik"},
           {"link", h.link},
           {"form", h.text},
           {"inputs", h.design.input_names()},
           {"outputs", h.joints},
           {"unit", o.unit},
           {"modules", h.design.boxes.size()},
           {"kinds", kinds},
           {"stages", h.schedule.latency},
           {"buffers", h.buffers.shared},
           {"tapped_lines", h.buffers.tapped},
           {"interval", 1},
           {"latency", h.schedule.latency},
           {"clocks_per_stage", clocks_per_stage(h.design, cordic)},
           {"utilisation", utilisation(h.design, cordic)},
           {"word", word.word},
           {"guard", o.guard},
           {"normalise", o.normalise},
           {"max_error", e.worst()},
           {"position_error", e.position},
           {"orientation_error", e.orientation},
           {"singular_position_error", e.singular_position},
           {"singular_orientation_error", e.singular_orientation},
           {"deviation", h.form.deviation},
           {"files", written}});
    return 0;
  }
  fmt::print("{}: inverse kinematics ({}) on {} CORDIC modules\n", robot.name(), h.text,
             h.design.boxes.size());
  fmt::print(
      "{} stages of {} clocks; latency: {} stages; throughput: one pose per stage; {} buffer "
      "stages\n",
      h.schedule.latency, clocks_per_stage(h.design, cordic), h.schedule.latency, h.buffers.shared);
  fmt::print(
      "words of {} bits, {} fraction bits, {} guard bits; error {:.2g} m and {:.2g} on regular "
      "poses, {:.2g} m and {:.2g} on singular ones\n",
      word.word, word.fraction, o.guard, e.position, e.orientation, e.singular_position,
      e.singular_orientation);
  if (!h.form.exact())
    fmt::print(
        "the file rounds angles: the form differs from it by {:.2g}, which the machine does "
        "not correct\n",
        h.form.deviation);
  for (const std::string& line : arm_ports(h)) fmt::print("{}\n", line);
  if (o.boxes) fmt::print("\n{}", text(h.design));
  for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  return 0;
}

}  // namespace parid::cli
