#include "design/delivery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codegen/emit/program.hpp"
#include "control/policy.hpp"
#include "design/candidates.hpp"
#include "design/step_text.hpp"
#include "hardware/verilog/verilog.hpp"
#include "parid/error.hpp"

namespace parid::design {
namespace {

Gains gains_of(const DesignCandidate& c, int n) { return LoopGains{c.kp, c.kd}.of(n); }

std::string name_for(const Robot& model) { return codegen::identifier(model.name()) + "_control"; }

std::vector<std::string> headline(const Robot& model, const DesignCandidate& c) {
  return {fmt::format("Computed torque of {} on {}.", model.name(), c.id),
          fmt::format("Period {:.6g} s, torques {:.6g} s after the measurement, kp = {:.6g}/s2, "
                      "kd = {:.6g}/s.",
                      c.period, c.latency, c.kp, c.kd),
          "report.md has every figure and how it was obtained."};
}

class Report {
 public:
  Report(const Robot& model, const DesignCandidate& c, const DesignResult& r, const Target& t)
      : model_(model), c_(c), r_(r), t_(t) {}

  std::string text(const std::vector<CodeFile>& files) {
    s_ = fmt::format("# {}: {}\n\n", model_.name(), c_.id);
    s_ += fmt::format("{}. Method: {}; policy of stale data: {}; words: {}.\n\n", t_.title,
                      c_.method, c_.policy, c_.word);
    s_ += "| figure | value | how it was obtained |\n|---|---|---|\n";
    step();
    loop();
    device();
    s_ += "\n## What the verdicts assume\n\n";
    for (const DesignAssumption& a : design_assumptions())
      s_ += fmt::format("* {}: {}.\n", a.figure, a.assumption);
    s_ += "\n## Where the target's figures come from\n\n";
    for (const auto& [key, source] : t_.source) s_ += fmt::format("* {}: {}\n", key, source);
    s_ += "\n## Poses\n\n";
    const auto nq = static_cast<std::size_t>(model_.nq());
    for (std::size_t at = 0; at < r_.poses.size(); at += nq) {
      std::string pose;
      for (std::size_t k = 0; k < nq; ++k) pose += fmt::format(" {:.6g}", r_.poses[at + k]);
      s_ += fmt::format("{}.{}{}\n", at / nq + 1, pose,
                        at / nq == c_.worst_pose ? " (limits the period)" : "");
    }
    s_ += "\n## Files\n\n";
    for (const CodeFile& f : files) s_ += fmt::format("* {}\n", f.name);
    if (!r_.why.empty()) {
      s_ += "\n## Why\n\n";
      for (const std::string& line : r_.why) s_ += line + "\n";
    }
    return s_;
  }

 private:
  void row(const char* what, const std::string& value, const std::string& how) {
    s_ += fmt::format("| {} | {} | {} |\n", what, value, how);
  }
  void step() {
    const OperationCounts& o = c_.operations;
    if (o.total() > 0)
      row("operations per step",
          fmt::format("{} multiplications, {} additions, {} sines with cosines", o.multiplications,
                      o.additions, o.sin_cos),
          c_.formulation == "generated" ? "counted in the delivered program"
                                        : "counted for the formulation " + c_.formulation);
    row("step time", fmt::format("{:.6g} s", c_.step_time),
        c_.units > 0 || c_.word.starts_with("fixed")
            ? "clocks of the scheduled machine at the target's clock"
            : "static schedule of operations and messages at the target's times");
    row("shortest period", fmt::format("{:.6g} s", c_.shortest_period),
        "the step time, or the interval of a machine that overlaps steps");
    if (c_.messages > 0)
      row("messages per period", fmt::format("{} with {} numbers", c_.messages, c_.message_words),
          "counted in the delivered programs");
    row("oldest value that is read", fmt::format("{} periods", c_.oldest),
        "the ages of the policy, in the delivered programs");
    if (c_.code)
      row("code", fmt::format("{:.0f} bytes", *c_.code),
          "operations of the fullest processor times the target's bytes per operation");
  }
  void loop() {
    row("period", fmt::format("{:.6g} s", c_.period),
        "the asked rate, or the shorter of step and fastest rate");
    row("latency", fmt::format("{:.6g} s", c_.latency), "step time and the target's jitter");
    row("gains", fmt::format("kp = {:.6g}/s², kd = {:.6g}/s", c_.kp, c_.kd),
        "kp = kd²/4, the largest with the asked margins, or as much as the asked bandwidth needs");
    row("bandwidth", fmt::format("{:.4g} Hz", c_.bandwidth),
        "frequency response of the linearised loop, worst joint and pose, -3 dB");
    row("reachable bandwidth", fmt::format("{:.4g} Hz", c_.reachable),
        "the same at the largest gains");
    row("gain margin", fmt::format("{:.4g}", c_.gain_margin),
        "eigenvalues of the loop's transfer matrix, worst pose");
    row("phase margin", fmt::format("{:.4g} degrees", c_.phase_margin), "the same");
    row("largest safe period", fmt::format("{:.6g} s", c_.largest_period),
        "spectral radius of the linearised loop, worst pose");
    if (c_.noise)
      row("noise of positions", fmt::format("{:.3g} rad or m", *c_.noise),
          "errors of the fixed-point torques in 300 random states");
    if (c_.tracking_largest)
      row("tracking error",
          fmt::format("{:.4g}, rms {:.4g} rad or m", *c_.tracking_largest, *c_.tracking_rms),
          "linear prediction along the motion");
  }
  void device() {
    if (c_.multipliers)
      row("multipliers", fmt::format("{}", *c_.multipliers),
          "products of the machine times the parts of one product");
    if (c_.luts)
      row("lookup tables", fmt::format("about {}", *c_.luts),
          "estimated from synthesized machines");
    row("price", c_.price ? fmt::format("{:g} USD", *c_.price) : "not known", "target's file");
    row("power", c_.power ? fmt::format("{:g} W", *c_.power) : "not known", "target's file");
  }

  const Robot& model_;
  const DesignCandidate& c_;
  const DesignResult& r_;
  const Target& t_;
  std::string s_;
};

void require_programs(const DesignCandidate& c) {
  if (!c.refused.empty()) throw Error(fmt::format("{} is refused: {}", c.id, c.refused));
  if (c.method == "array" || c.method == "pipeline")
    throw Error(
        fmt::format("{}: there is no program or Verilog of a whole {}; choose another "
                    "candidate",
                    c.id, c.method));
}

}  // namespace

std::vector<CodeFile> delivered_files(const Robot& model, const DesignCandidate& c,
                                      const DesignResult& r) {
  require_programs(c);
  const Target t = target(c.target);
  const std::string name = name_for(model);
  std::vector<CodeFile> files;
  if (const int bits = bits_of(c.word)) {
    const auto fixed = fixed_dynamics(model, bits, r.acceleration);
    files.push_back({codegen::identifier(model.name()) + "_inverse.v",
                     hardware::verilog_pipeline(machine_of(*fixed, c.units),
                                                codegen::identifier(model.name()) + "_inverse")});
  } else {
    const CandidateProgram made = program_of(model, c, t, gains_of(c, model.nv()));
    const WordType word = c.word == "float32" ? WordType::float32 : WordType::float64;
    for (codegen::EmittedFile& f :
         step_files(made.program, made.timing, word, name, headline(model, c)))
      files.push_back({std::move(f.name), std::move(f.text)});
  }
  files.push_back({"report.md", Report(model, c, r, t).text(files)});
  return files;
}

std::unique_ptr<Artefact> artefact_of(const Robot& model, const DesignCandidate& c,
                                      double acceleration) {
  require_programs(c);
  const Gains gains = gains_of(c, model.nv());
  if (const int bits = bits_of(c.word))
    return fixed_artefact(fixed_dynamics(model, bits, acceleration), gains, acceleration);
  const CandidateProgram made = program_of(model, c, target(c.target), gains);
  return compiled_artefact(made.program, made.timing,
                           c.word == "float32" ? WordType::float32 : WordType::float64);
}

TrackingError predicted_error(const Robot& plant, const Robot& model, const DesignCandidate& c,
                              const motion::Trajectory& motion, double acceleration) {
  const LoopTiming t{c.period, c.latency};
  if (const int bits = bits_of(c.word)) {
    const auto machine = fixed_artefact(fixed_dynamics(model, bits, acceleration),
                                        gains_of(c, model.nv()), acceleration);
    return predicted_tracking(plant, *machine, motion, t);
  }
  const control::LawDesign law{model,
                               "computed_torque",
                               gains_of(c, model.nv()),
                               control::bound(control::policy(c.policy), model),
                               false,
                               false};
  return predicted_tracking(plant, law, motion, t);
}

}  // namespace parid::design
