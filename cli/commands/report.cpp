// parid report: one HTML page about a robot and a motion.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "base/file/atomic_file.hpp"
#include "cli/command.hpp"
#include "cli/input/torque_evaluation.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/motion_report.hpp"
#include "cli/summary/report_parts.hpp"
#include "codegen/emit/languages.hpp"
#include "codegen/trace/generate.hpp"
#include "dynamics/friction_stage.hpp"
#include "model/given_values.hpp"
#include "parid/parid.h"
#include "report/page.hpp"

namespace parid::cli {
namespace report_command {
namespace {

struct Options {
  TorqueOptions torque;
  std::optional<std::string> output;
  std::optional<int> schedule;
  std::vector<std::string> control;
  double control_rate = 1000;
  std::size_t poses = 20;
  bool pipeline = false, stability = false, no_formulations = false, all = false, json = false;
};

// numbers of a motion in the page; longer motions are thinned out
constexpr std::size_t most_numbers = 4'000'000;
constexpr int most_live_freedoms = 100;
const std::vector<std::string> usual_policies = {"binder_herzog", "hamilton", "vuskovic"};
constexpr int usual_processors = 4;

class Report {
 public:
  Report() {
    data_["schema"] = "parid.report-data/1";
    data_["version"] = parid_version();
  }

  void set(const char* section, Json value) {
    data_[section] = std::move(value);
    sections.emplace_back(section);
  }
  void note(std::string text) { notes.push_back(std::move(text)); }

  // With --all, parts that a robot cannot have are noted; a part requested by name is an Error.
  template <class Make>
  void study(const char* section, const char* option, bool by_name, const Make& make) {
    try {
      set(section, make());
    } catch (const Error& e) {
      if (by_name) throw Error(fmt::format("{}: {}", option, e.what()));
      note(fmt::format("{} is omitted: {}", option, e.what()));
    }
  }

  std::string data() {
    data_["notes"] = notes;
    data_["sections"] = sections;
    // Names in files need not be UTF-8; JSON must.
    return data_.dump(-1, ' ', true, Json::error_handler_t::replace);
  }

  std::vector<std::string> sections, notes;

 private:
  Json data_;
};

std::string output_path(const Options& o, const Robot& robot) {
  if (o.output) return *o.output;
  std::string name;
  for (const char c : robot.name())
    name +=
        std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '-';
  while (name.starts_with('.') || name.starts_with('-')) name.erase(0, 1);
  return (name.empty() ? "robot" : name) + "-report.html";
}

void check_options(const Options& o) {
  check_motion_options(o.torque.motion);
  if (o.schedule && (*o.schedule < 1 || *o.schedule > 64))
    throw Error(
        fmt::format("--schedule: {} processors is out of range; give 1 to 64", *o.schedule));
  for (const std::string& id : o.control) policy(id);  // or an Error
  if (!(o.control_rate > 0) || !std::isfinite(o.control_rate))
    throw Error(fmt::format(
        "--control-rate: {:g} is out of range; give control periods per second, such as 1000",
        o.control_rate));
  if (o.poses < 1 || o.poses > 100'000) throw Error("--poses: give 1 to 100000");
  if (o.output && o.output->empty())
    throw Error("--output: the name of the file is empty; give a path that ends in .html");
  if (o.json && o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
}

// Keeps every k-th sample if there are more than a page should hold.
void thin_out(const Robot& robot, SampledTrajectory& m, Report& report) {
  const std::size_t nq = robot.nq(), nv = robot.nv(), width = nq + 4 * nv;
  const std::size_t stride = (m.rows * width + most_numbers - 1) / most_numbers;
  if (stride <= 1) return;
  report.note(fmt::format("of {} samples, this page has every {}th", m.rows, stride));
  SampledTrajectory thin;
  auto keep = [&](const std::vector<double>& x, std::size_t k, std::vector<double>& to) {
    for (std::size_t r = 0; r < m.rows; r += stride) to.insert(to.end(), &x[r * k], &x[r * k] + k);
  };
  if (!m.t.empty()) keep(m.t, 1, thin.t);
  keep(m.q, nq, thin.q);
  keep(m.v, nv, thin.v);
  keep(m.a, nv, thin.a);
  thin.rows = nv > 0 ? thin.v.size() / nv : 0;
  name_torques(robot, thin);
  m = std::move(thin);
}

// Describes the model behind the page's numbers. Torques with and without friction differ, and both
// are valid.
struct Model {
  std::string rigid = "rigid bodies and rotors, without friction";
  std::string torques;  // along the motion and for the sliders
  std::string brief;    // a short form for headings
  std::string around;   // payload, base, gravity

  Model(const Robot& robot, const TorqueOptions& t, bool frictionless) {
    torques = t.friction && !frictionless
                  ? "rigid bodies and rotors, plus friction of bearings and drives"
              : frictionless ? "rigid bodies and rotors; the robot file has no friction"
                             : rigid;
    brief = t.friction && !frictionless ? "rigid + friction" : "rigid";
    std::string payload = "no payload";
    if (t.payload) {
      const auto [link, x] = numbers_at_link("--payload", *t.payload);
      payload = fmt::format("payload of {:g} kg on link '{}'", x.at(0),
                            link.empty() ? robot.tip() : link);
    }
    const auto& joints = robot.description().joints;
    const bool floats = std::any_of(joints.begin(), joints.end(), [](const JointDescription& j) {
      return j.type == JointType::floating;
    });
    const auto g = robot.gravity();
    around = fmt::format("{}, {} base, gravity ({:g}, {:g}, {:g}) m/s²", payload,
                         floats ? "floating" : "fixed", g[0], g[1], g[2]);
  }
  std::string text() const { return fmt::format("{}; {}", torques, around); }
  Json json() const {
    return {{"rigid", rigid}, {"torques", torques}, {"brief", brief}, {"around", around}};
  }
};

// The robot's torques in JavaScript for the page, with a payload at its tip as an argument.
std::string live_programs(const Options& o, const Robot& robot, Report& report) {
  if (robot.nv() > most_live_freedoms) {
    report.note(fmt::format("the page does not compute torques for more than {} degrees of freedom",
                            most_live_freedoms));
    return "";
  }
  Generated made;
  try {
    made = generate(robot, Quantity::inverse_dynamics,
                    {.payload = true, .friction = o.torque.friction});
  } catch (const Error& e) {
    report.note(fmt::format("the page does not compute torques: {}", e.what()));
    return "";
  }
  made.program.name = "inverse";
  made.program.about.clear();  // names and sources of the robot's file must not appear in a program
  const Counts c = counts(made.program.graph);
  report.set("live", {{"link", robot.find_link(robot.tip())},
                      {"friction", o.torque.friction},
                      {"multiplications", c.multiplications},
                      {"additions", c.additions},
                      {"sincos", c.sin_cos}});
  return emit_javascript(made.program) + "globalThis.paridPrograms = { inverse };\n";
}

void add_studies(const Options& o, const Robot& robot, Report& report) {
  ControlLawOptions law;
  law.robot = o.torque;
  law.robot.silent = true;  // its warnings were shown
  if (!o.no_formulations)
    report.study("formulations", "the table of formulations", false,
                 [&] { return formulations_json(robot); });
  if (o.schedule || o.all)
    report.study("schedule", "--schedule", o.schedule.has_value(), [&] {
      return schedule_json(robot, o.torque.robot, o.schedule.value_or(usual_processors));
    });
  if (o.pipeline || o.all)
    report.study("pipeline", "--pipeline", o.pipeline, [&] { return pipeline_json(robot); });
  if (o.stability || o.all)
    report.study("stability", "--stability", o.stability,
                 [&] { return stability_json(law, o.poses); });
  if (!o.control.empty() || o.all)
    report.study("control", "--control", !o.control.empty(), [&] {
      const MotionOptions& m = o.torque.motion;
      return control_json(law, m.file ? m.file : m.name,
                          o.control.empty() ? usual_policies : o.control, o.control_rate,
                          o.torque.friction);
    });
}

int run(Options& o) {
  if (is_help(o.torque.motion)) return print_named_motions(), 0;
  check_options(o);
  const Robot robot = asked_robot(o.torque);
  require_moving_links(robot, 200, "a report");
  const bool frictionless = FrictionStage<double>(robot.canonical()).nothing();
  if (o.all && !frictionless) o.torque.friction = true;
  if (o.torque.friction && frictionless)
    note("{}: note: the robot has no friction, bearings or drives; --friction has no effect",
         robot.description().file);
  const std::string path = output_path(o, robot);
  const ExternalLoads around;
  Report report;
  SampledTrajectory motion = asked_motion(robot, o.torque.motion);
  asked_pace(robot, o.torque.motion, motion, torques_along(robot, around, o.torque.threads));
  thin_out(robot, motion, report);
  const Torques torques = asked_torques(o.torque, robot, around, motion);

  const Model model(robot, o.torque, frictionless);
  report.set("model", model.json());
  report.set("robot", robot_json(robot));
  const Visuals looks =
      visuals_of(robot.description().file, 60'000, std::size_t{256} << 20,
                 PackagePath(load_options(o.torque).packages), robot.description().text);
  for (const std::string& text : looks.notes) report.note(in_flags(text));
  report.set("visuals", visuals_json(robot, looks));
  const MotionOptions& m = o.torque.motion;
  report.set("motion", motion_json(robot, motion, torques,
                                   m.file ? std::filesystem::path(*m.file).filename().string()
                                          : m.name.value_or("default")));
  if (o.torque.friction) report.set("friction", friction_parts_json(torques, robot.nv()));
  ReportPage page;
  page.title = robot.name();
  page.programs = live_programs(o, robot, report);
  add_studies(o, robot, report);
  page.data = report.data();
  const std::string html = text(page);
  AtomicFile file(path);
  file.write(html);
  file.commit();

  note(broken_limits(robot, motion, torques.tau), robot, motion, o.torque.motion);
  if (o.json) {
    print({{"schema", "parid.report/1"},
           {"robot", robot.name()},
           {"file", path},
           {"bytes", html.size()},
           {"samples", motion.rows},
           {"model", model.text()},
           {"sections", report.sections},
           {"full_page", report_page_is_full()},
           {"notes", report.notes}});
    return 0;
  }
  note("note: torques in the page: {}", model.text());
  for (const std::string& text : report.notes) note("note: {}", text);
  if (!report_page_is_full())
    note("note: the page has no 3-D view; build Parid with npm to include it");
  if (path != "-")
    fmt::print("wrote {}, {:.0f} kB; open it in a browser\n", harmless(path),
               static_cast<double>(html.size()) / 1e3);
  return 0;
}

// Refuses options that have no effect.
void check_effects(const Options& o, const CLI::App& c) {
  if (o.all) return;
  if (!o.stability) refuse(c, {"--poses"}, "it requires --stability");
  if (o.control.empty()) refuse(c, {"--control-rate"}, "it requires --control");
}

}  // namespace
}  // namespace report_command

void add_report(CLI::App& app, Action& action) {
  using namespace report_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "report", "Write an HTML page with the robot in 3-D, its torques and optional studies");
  TorqueOptions& t = o.torque;
  c->add_option("ROBOT", t.robot, robot_help)->required();
  add_motion_options(*c, t.motion);
  c->add_option("-o,--output", o.output, "output file (default: ROBOT-report.html)")
      ->option_text("FILE.html");
  c->add_flag("--friction", t.friction, "include friction of bearings and drives, joint by joint");
  c->add_option("--schedule", o.schedule,
                "schedule the torque computation on this many processors, with the speed-up of "
                "more and fewer")
      ->option_text("P");
  c->add_flag("--pipeline", o.pipeline,
              "design hardware: inverse kinematics with CORDIC modules if there is a closed form, "
              "and inverse dynamics with multipliers and adders");
  c->add_option("--control", o.control,
                "simulate a sampled controller with these stale-data policies, compared with the "
                "exact one; `parid control --help` lists them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("POLICY,...");
  c->add_option("--control-rate", o.control_rate, "control periods per second (default: 1000)")
      ->option_text("HZ");
  c->add_flag("--stability", o.stability, "compute the safe sampling periods of each policy");
  c->add_option("--poses", o.poses, "random poses for --stability (default: 20)")->option_text("N");
  c->add_flag("--all", o.all,
              "include all studies and friction, as far as the robot supports them");
  c->add_flag("--no-formulations", o.no_formulations, "omit the table of formulations");
  c->add_option("--gravity", t.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_option("--payload", t.payload, "attach a body to a link, as in `parid torque`")
      ->option_text("[LINK:]MASS...");
  c->add_flag("--floating", t.floating, "give the robot a floating base");
  add_robot_changes(*c, t);
  add_frame_and_tip(*c, t);
  add_no_rotors(*c, t);
  add_force(*c, t);
  c->add_flag("--json", o.json, "print one JSON object about the page to standard output");
  c->footer(
      "The page is one self-contained file. It includes the meshes of a URDF or xacro file (STL, "
      "OBJ, "
      "COLLADA); "
      "robots without meshes are drawn as simple solids. Sliders set positions, velocities, "
      "accelerations and payload; the page computes the torques with the robot's specialized "
      "program.\nExamples:  parid report puma560\n           parid report arm.urdf motion.csv -o "
      "arm.html\n           parid report puma560 --motion dhanaraj --schedule 4 --control "
      "hamilton,binder_herzog --pipeline\n           parid report puma560-positioning --motion "
      "dhanaraj --all");
  c->callback([&action, options, c] {
    action = [options, c] {
      check_effects(*options, *c);
      return run(*options);
    };
  });
}

}  // namespace parid::cli
