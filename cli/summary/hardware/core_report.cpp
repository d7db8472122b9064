#include "cli/summary/hardware/core_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/input/control_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "hardware/controller/core_tracking.hpp"
#include "hardware/pipeline/balance.hpp"
#include "motion/named_motions.hpp"
#include "parid/error.hpp"
#include "parid/robot.hpp"

namespace parid::cli {
namespace {

// A folder that is removed at the end.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "parid-core-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw Error("no temporary folder for the simulation");
    path = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  std::string path;
};

// Larger than predicted by more than 10 %, or smaller.
bool off_prediction(double measured, double predicted) {
  return !(std::abs(measured - predicted) <= 0.1 * predicted);
}

Json tracking_json(const CoreTracking& t) {
  return {{"ideal", t.ideal}, {"core", t.core}, {"degradation", t.degradation}};
}

struct Verified {
  CoreLoop loop;
  bool as_predicted = false;
  bool rtl = false, equal = false;  // the Verilog ran; its torques are the model's
  int clocks = 0, feedback_clocks = 0;
};

Verified verified(const ControllerCore& core, const Trajectory& motion, const CorePrediction& p,
                  bool rtl) {
  Verified v;
  v.loop = run_core_loop(core, motion);
  v.as_predicted = !off_prediction(v.loop.tracking.core, p.tracking.core) &&
                   !off_prediction(v.loop.tracking.degradation, p.tracking.degradation);
  if (rtl) {
    const WorkFolder folder;
    VerilatedCore simulated(core, folder.path);
    const CoreLoop again = run_core_loop(
        core, motion,
        [&](std::span<const Raw> s, std::span<const Raw> m) { return simulated.step(s, m); });
    v.rtl = true;
    v.equal = again.torques == v.loop.torques && again.status == v.loop.status;
    v.clocks = simulated.clocks();
    v.feedback_clocks = simulated.feedback_clocks();
  }
  return v;
}

}  // namespace

void add_core_options(CLI::App& c, CoreRunOptions& o) {
  c.add_option("--law", o.core.law, "controller: law, as in `parid control`")
      ->option_text("LAW")
      ->capture_default_str();
  c.add_option("--kp", o.kp, "controller: initial position gains, one or one per joint")
      ->option_text("K,...");
  c.add_option("--kd", o.kd, "controller: initial velocity gains, one or one per joint")
      ->option_text("K,...");
  c.add_option("--setpoint", o.setpoint,
               "controller: what the host sends, joint or pose (default: pose if the arm has a "
               "closed form for the link)")
      ->option_text("KIND");
  c.add_option("--interval", o.core.interval,
               "controller: clocks per sample at the most; units are shared accordingly, 1: none "
               "is")
      ->option_text("N")
      ->capture_default_str();
  c.add_option("--window", o.core.window,
               "controller: samples between the positions whose difference is a velocity")
      ->option_text("N")
      ->capture_default_str();
  c.add_option("--rate", o.core.rate, "controller: samples per second")
      ->option_text("HZ")
      ->capture_default_str();
  c.add_option("--position-error", o.core.error,
               "controller: position errors above this (rad, m) count as this")
      ->option_text("E")
      ->capture_default_str();
  c.add_option("--motion", o.motion,
               std::string("controller: motion whose tracking is predicted; ") + trajectory_help +
                   " (default: pick-and-place)")
      ->option_text("M");
  c.add_option("--verify", o.verify,
               "controller: simulate the robot under the core along the motion and compare with "
               "the prediction; model: the bit-true model, rtl: the Verilog under Verilator too")
      ->option_text("WITH");
}

void check_core_options(const CoreRunOptions& o, const CLI::App& c, bool is_controller) {
  if (!is_controller) {
    refuse(c,
           {"--law", "--kp", "--kd", "--setpoint", "--interval", "--window", "--rate",
            "--position-error", "--motion", "--verify"},
           "it applies to 'controller' only");
    return;
  }
  refuse(c, {"--units"}, "the units of a controller follow from --interval; use --interval");
  refuse(c,
         {"--unit", "--array", "--folded", "--normalise", "--modules", "--serial", "--max-error",
          "--float", "--method", "--effort"},
         "it does not apply to a controller; omit it");
  if (o.setpoint) {
    try {
      set_point(*o.setpoint);
    } catch (const Error& e) {
      throw Error(fmt::format("--setpoint: {}", e.what()));
    }
    if (*o.setpoint == "joint")
      refuse(c, {"--arrangement", "--link", "--guard", "--offset"},
             "joint set points need no inverse kinematics; omit it, or use --setpoint pose");
  }
  if (o.verify && *o.verify != "model" && *o.verify != "rtl")
    throw Error(fmt::format("--verify: unknown value '{}'; choose from model, rtl", *o.verify));
  if (o.verify == "rtl" && !VerilatedCore::installed())
    throw Error("--verify rtl: verilator is not installed; install it, or use --verify model");
}

int run_core(const Robot& robot, CoreRunOptions o) {
  if (o.setpoint) o.core.setpoint = set_point(*o.setpoint);
  if (o.kp) o.core.gains.kp = numbers("--kp", *o.kp);
  if (o.kd) o.core.gains.kd = numbers("--kd", *o.kd);
  o.core.clock = o.clock_mhz * 1e6;
  ControllerCore core = controller_core(robot, o.core);
  if (core.options.setpoint == SetPoint::joint && !o.for_poses.empty())
    throw Error(
        fmt::format("{}: the arm has no closed-form inverse kinematics, so its set points "
                    "are joint positions; omit it",
                    o.for_poses));
  if (o.velocity_given &&
      std::all_of(robot.limits().begin(), robot.limits().end(),
                  [](const auto& l) { return std::isfinite(l.velocity) && l.velocity > 0; }))
    throw Error(
        "--velocity: every joint of this robot has a velocity limit, which is used; omit "
        "--velocity");
  if (o.acceleration_given && (core.options.law == "pd" || core.options.law == "pd+gravity"))
    throw Error(fmt::format("--acceleration: law '{}' computes no accelerations; omit it",
                            core.options.law));
  TrajectoryPointer motion;
  std::string no_motion;
  try {
    motion = asked_trajectory(robot, o.motion.value_or("pick-and-place"), 5);
  } catch (const Error& e) {
    if (o.motion || o.verify) throw;
    no_motion = e.what();
  }
  std::optional<CorePrediction> prediction;
  if (motion) {
    std::vector<double> q(core.n()), v(q), a(q);
    motion->at(0, q, v, a);
    core.program.branch = core.branch_of(q);
    try {
      prediction = predict_core(core, *motion);
    } catch (const Error& e) {
      if (o.motion || o.verify) throw;
      no_motion = e.what();
    }
  }
  const CoreError error = core_error(core);
  std::optional<Verified> check;
  if (o.verify) check = verified(core, *motion, *prediction, *o.verify == "rtl");
  std::vector<std::string> written;
  if (o.output) written = write_files(*o.output, core_files(core, o.samples));
  const bool good = !check || (check->as_predicted && (!check->rtl || check->equal));

  const CoreSchedule& t = core.timing;
  const Buffers b = buffers(t.network, t.staging);
  const CoreOptions& made = core.options;
  Json units = Json::object();
  int modules = 0;
  std::vector<std::string> kinds;
  for (int u = 0; u < core_units; ++u) {
    const int built = t.built[static_cast<std::size_t>(u)];
    if (built == 0) continue;
    const char* name = name_of(static_cast<CoreUnit>(u));
    units[name] = {{"built", built}, {"operations", core.program.count(static_cast<CoreUnit>(u))}};
    modules += built;
    kinds.push_back(fmt::format("{} {}", built, name));
  }
  if (o.json) {
    Json joints = Json::array(), bank = Json::array(), setpoints = Json::array();
    for (std::size_t j = 0; j < core.n(); ++j)
      joints.push_back({{"joint", core.joints[j].name},
                        {"kp", core.joints[j].kp},
                        {"kd", core.joints[j].kd},
                        {"torque_limit", core.joints[j].effort},
                        {"velocity_limit", core.joints[j].velocity},
                        {"measured_fraction", core.program.measured[j].fraction},
                        {"torque_fraction", core.program.torque[j].format.fraction},
                        {"torque_bound", core.torque_bounds[j]}});
    for (std::size_t k = 0; k < core.setpoint_names.size(); ++k)
      setpoints.push_back(
          {{"name", core.setpoint_names[k]}, {"fraction", core.setpoint_format[k].fraction}});
    for (const CoreRegister& r : core.program.bank)
      bank.push_back({{"name", r.name},
                      {"address", r.address},
                      {"fraction", r.format.fraction - std::max(0, core.program.word - 32)},
                      {"initial", r.format.value(r.initial)},
                      {"largest", r.format.value(r.largest)}});
    Json tracking = nullptr, verification = nullptr;
    if (prediction) {
      tracking = tracking_json(prediction->tracking);
      tracking["from_filter"] = prediction->from_filter;
      tracking["from_latency"] = prediction->from_latency;
      tracking["from_rounding"] = prediction->from_rounding;
    }
    if (check) {
      verification = tracking_json(check->loop.tracking);
      verification["periods"] = check->loop.periods;
      verification["status"] = check->loop.status;
      verification["as_predicted"] = check->as_predicted;
      verification["rtl_equals_model"] = check->rtl ? Json(check->equal) : Json(nullptr);
    }
    print({{"schema", o.schema},
           {"robot", robot.name()},
           {"what", "controller"},
           {"module", core.name},
           {"law", made.law},
           {"setpoint", name_of(*made.setpoint)},
           {"modules", modules},
           {"units", units},
           {"stages", t.latency()},
           {"buffers", t.binding.registers},
           {"buffers_per_edge", b.per_edge},
           {"buffers_per_port", b.per_port},
           {"tapped_lines", b.tapped},
           {"interval", t.interval},
           {"latency", core.clocks()},
           {"feedback_latency", core.feedback_clocks()},
           {"clock", made.clock},
           {"rate", made.rate},
           {"window", made.window},
           {"word", made.word},
           {"max_error", error.share},
           {"error_bound", error.bound_share},
           {"torque_error", error.torque},
           {"torque_bound", core.torque_bound},
           {"position_error", core.pose_error},
           {"orientation_error", core.orientation_error},
           {"setpoints", setpoints},
           {"joints", joints},
           {"registers", bank},
           {"prediction", tracking},
           {"verification", verification},
           {"files", written}});
    return good ? 0 : 1;
  }
  fmt::print("{}: controller core, law {}, {} set points, words of {} bits\n", robot.name(),
             made.law, name_of(*made.setpoint), made.word);
  fmt::print("units: {}; {} registers\n", fmt::join(kinds, ", "), t.binding.registers);
  fmt::print(
      "a sample every {}; torques {} clocks after the set point and {} after the "
      "measurement ({:.3g} and {:.3g} us at {:g} MHz)\n",
      t.interval == 1 ? "clock" : fmt::format("{} clocks", t.interval), core.clocks(),
      core.feedback_clocks(), 1e6 * core.latency(), 1e6 * core.feedback_latency(),
      1e-6 * made.clock);
  fmt::print(
      "filters at {:g} samples per second over {} sample{}; the reference is {:g} ms behind "
      "the set points\n",
      made.rate, made.window, made.window == 1 ? "" : "s", 1e3 * made.window * core.period());
  fmt::print("torque error on {} samples: {:.2g} of full scale; proven bound: {:.2g}\n",
             error.samples, error.share, error.bound_share);
  if (made.setpoint == SetPoint::pose)
    fmt::print(
        "inverse kinematics of '{}' on CORDIC modules: error {:.2g} m and {:.2g} on regular "
        "poses\n",
        made.link, core.pose_error, core.orientation_error);
  if (prediction) {
    const CoreTracking& p = prediction->tracking;
    fmt::print(
        "predicted tracking error (rms): {:.3g}, and {:.3g} with the law in double, exact "
        "velocities and no latency\n",
        p.core, p.ideal);
    fmt::print(
        "predicted degradation: {:.3g}; {:.3g} by the filters, {:.3g} by latency, {:.3g} by "
        "rounding\n",
        p.degradation, prediction->from_filter, prediction->from_latency,
        prediction->from_rounding);
  } else {
    fmt::print("no prediction of the tracking: {}\n", no_motion);
  }
  if (check) {
    const CoreTracking& m = check->loop.tracking;
    fmt::print("simulated tracking error: {:.3g} ({:.3g}), degradation {:.3g}: {}\n", m.core,
               m.ideal, m.degradation,
               check->as_predicted ? "within 10 % of the prediction"
                                   : "not within 10 % of the prediction");
    if (check->rtl)
      fmt::print("Verilog under Verilator: {} torques in the loop, {}; {} and {} clocks\n",
                 check->loop.torques.size(),
                 check->equal ? "all equal to the model's" : "not equal to the model's",
                 check->clocks, check->feedback_clocks);
  }
  for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  return good ? 0 : 1;
}

}  // namespace parid::cli
