#include "cli/summary/report_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include "cli/input/torque_evaluation.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/summary/limits_report.hpp"
#include "cli/summary/motion_report.hpp"
#include "cli/summary/report_parts.hpp"
#include "codegen/emit/languages.hpp"
#include "codegen/trace/generate.hpp"
#include "dynamics/friction_stage.hpp"
#include "model/given_values.hpp"
#include "parid/limits.hpp"
#include "parid/parid.h"
#include "report/page.hpp"

namespace parid::cli {
namespace {

// numbers of a motion in the page; longer motions are thinned out
constexpr std::size_t most_numbers = 4'000'000;
constexpr int most_live_freedoms = 100;
const std::vector<std::string> usual_policies = {"binder_herzog", "hamilton", "vuskovic"};
constexpr int processors_of_all = 4;

class PageData {
 public:
  PageData() {
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

// Every k-th sample is kept if there are more than a page should hold.
std::size_t stride_of(const Robot& robot, const SampledTrajectory& m) {
  const std::size_t width = robot.nq() + 4 * static_cast<std::size_t>(robot.nv());
  return std::max<std::size_t>(1, (m.rows * width + most_numbers - 1) / most_numbers);
}

void thin_out(const Robot& robot, std::size_t stride, SampledTrajectory& m, Torques& torques) {
  if (stride <= 1) return;
  const std::size_t nq = robot.nq(), nv = robot.nv(), rows = m.rows;
  auto keep = [&](const std::vector<double>& x, std::size_t k) {
    std::vector<double> to;
    for (std::size_t r = 0; r < rows && !x.empty(); r += stride)
      to.insert(to.end(), &x[r * k], &x[r * k] + k);
    return to;
  };
  SampledTrajectory thin;
  thin.t = keep(m.t, 1);
  thin.q = keep(m.q, nq);
  thin.v = keep(m.v, nv);
  thin.a = keep(m.a, nv);
  thin.rows = nv > 0 ? thin.v.size() / nv : 0;
  name_torques(robot, thin);
  m = std::move(thin);
  for (std::vector<double>* x : {&torques.tau, &torques.rigid, &torques.bearing, &torques.drive})
    *x = keep(*x, nv);
}

// Describes the model behind the page's numbers. Torques with and without friction differ, and both
// are valid.
struct ModelText {
  std::string rigid = "rigid bodies and rotors, without friction";
  std::string torques;  // along the motion and for the sliders
  std::string brief;    // a short form for headings
  std::string around;   // payload, base, gravity
  std::string payload = "no payload";
  bool friction_omitted = false;
  std::vector<std::pair<std::string, std::string>> assumptions;

  ModelText(const Robot& robot, const TorqueOptions& t, bool frictionless) {
    const bool friction = t.friction && !frictionless;
    torques = friction       ? "rigid bodies and rotors, plus friction of bearings and drives"
              : frictionless ? "rigid bodies and rotors; the robot file has no friction"
                             : rigid;
    brief = friction ? "rigid + friction" : "rigid";
    friction_omitted = !friction && !frictionless;
    if (t.payload) {
      const auto [link, x] = numbers_at_link("--payload", *t.payload);
      payload = fmt::format("payload of {:g} kg on link '{}'", x.at(0),
                            link.empty() ? robot.tip() : link);
      if (x.size() >= 4)
        payload += fmt::format(", centre of mass ({:g}, {:g}, {:g}) m", x[1], x[2], x[3]);
    }
    const auto& joints = robot.description().joints;
    const bool floats = std::any_of(joints.begin(), joints.end(), [](const JointDescription& j) {
      return j.type == JointType::floating;
    });
    const auto g = robot.gravity();
    const std::string gravity = fmt::format("({:g}, {:g}, {:g}) m/s²", g[0], g[1], g[2]);
    around =
        fmt::format("{}, {} base, gravity {}", payload, floats ? "floating" : "fixed", gravity);
    assumptions = {
        {"friction", friction       ? "bearings and drives, as in the robot file"
                     : frictionless ? "none in the robot file"
                                    : "in the robot file, but not counted"},
        {"payload", payload == "no payload" ? "none added to the robot file" : payload.substr(11)},
        {"base", floats ? "floating: the base has no motor" : "fixed"},
        {"gravity", gravity},
        {"rotors", rotors(robot, t)}};
  }
  static std::string rotors(const Robot& robot, const TorqueOptions& t) {
    if (t.no_rotors) return "left out";
    const auto& joints = robot.description().joints;
    const auto some = std::count_if(joints.begin(), joints.end(), [](const JointDescription& j) {
      return j.rotor_inertia != 0 || j.rotor.has_value();
    });
    if (some == 0) return "none in the robot file";
    return fmt::format("inertia counted at {} joint{}", some, some == 1 ? "" : "s");
  }
  std::string text() const { return fmt::format("{}; {}", torques, around); }
  Json json() const {
    Json list = Json::array();
    for (const auto& [name, value] : assumptions) list.push_back({name, value});
    return {{"rigid", rigid},   {"torques", torques},  {"brief", brief},
            {"around", around}, {"assumptions", list}, {"friction_omitted", friction_omitted}};
  }
};

// A robot along a motion: what the page shows, once or twice.
struct ReportRun {
  TorqueOptions options;
  Robot robot;
  bool frictionless;
  ModelText model;
  SampledTrajectory motion;
  std::string motion_name;
  std::size_t all_samples = 0, stride = 1;
  Torques torques;
  LimitsReport limits;
  std::vector<double> instants;  // of all samples
  std::vector<LimitBreak> broken;

  explicit ReportRun(TorqueOptions t, bool all = false)
      : options(std::move(t)),
        robot(asked_robot(options)),
        frictionless(FrictionStage<double>(robot.canonical()).nothing()),
        model(robot, with_friction(options, all && !frictionless), frictionless) {
    require_moving_links(robot, 200, "a report");
    const ExternalLoads around;
    const MotionOptions& m = options.motion;
    motion = asked_motion(robot, m);
    asked_pace(robot, m, motion, torques_along(robot, around, options.threads));
    torques = asked_torques(options, robot, around, motion);
    limits = check_limits(robot, motion, torques.tau, {.threads = options.threads});
    broken = broken_limits(robot, motion, torques.tau);
    note(broken, robot, motion, m);
    instants = motion.t;
    all_samples = motion.rows;
    motion_name =
        m.file ? std::filesystem::path(*m.file).filename().string() : m.name.value_or("default");
    std::string text = motion_name;
    if (std::isfinite(limits.duration)) text += fmt::format(", {:.4g} s", limits.duration);
    text += fmt::format(", {} sample{}", all_samples, all_samples == 1 ? "" : "s");
    if (m.pace) text += fmt::format(", timed within the limits ({})", *m.pace);
    model.assumptions.emplace_back("motion", text);
    stride = stride_of(robot, motion);
    thin_out(robot, stride, motion, torques);
  }

  static const TorqueOptions& with_friction(TorqueOptions& t, bool on) {
    t.friction = t.friction || on;
    return t;
  }

  Json limits_json() const {
    const std::vector<CheckedMotion> checked = {{motion_name, instants, limits}};
    Json j{{"holds", holds_json(limits.verdict, false)}, {"margin", limits.margin}};
    add_loads(j, limits, checked, std::vector<std::size_t>(limits.joints.size()));
    for (std::size_t k = 0; k < limits.joints.size(); ++k)
      j["joints"][k]["slides"] = limits.joints[k].slides;
    return j;
  }
};

// ---- a second run beside the first

// Options of the second run. Those that change the structure of the first robot do not apply to
// another one.
TorqueOptions second_options(const ReportOptions& o) {
  TorqueOptions t = o.torque;
  t.silent = !o.compare;
  if (o.compare) {
    t.robot = *o.compare;
    t.removed.clear();
    t.attachments.clear();
    t.locks.clear();
    t.frames.clear();
    t.arguments.clear();
    t.environment.clear();
    t.tip.reset();
  }
  if (o.compare_payload) {
    t.payload = o.compare_payload;
    if (*o.compare_payload == "none")
      t.payload.reset();
    else
      (void)numbers_at_link("--compare-payload", *o.compare_payload);  // or an Error
  }
  if (o.compare_motion) {
    t.motion.name.reset();
    t.motion.file.reset();
    std::error_code no;
    const bool file = std::filesystem::exists(*o.compare_motion, no);
    (file ? t.motion.file : t.motion.name) = *o.compare_motion;
  }
  return t;
}

// Coordinates of equal names; if there are none and both robots have as many, by their order.
std::vector<std::pair<std::size_t, std::size_t>> paired(const Robot& a, const Robot& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::unordered_map<std::string, std::size_t> at;
  for (std::size_t k = 0; k < b.velocity_names().size(); ++k) at.emplace(b.velocity_names()[k], k);
  for (std::size_t k = 0; k < a.velocity_names().size(); ++k)
    if (const auto found = at.find(a.velocity_names()[k]); found != at.end())
      pairs.emplace_back(k, found->second);
  if (!pairs.empty()) return pairs;
  if (a.nv() != b.nv())
    throw Error(fmt::format(
        "--compare: {} has {} degrees of freedom and {} has {}, and no joint has the same name; "
        "compare robots with equal names or equal degrees of freedom",
        a.name(), a.nv(), b.name(), b.nv()));
  for (std::size_t k = 0; k < static_cast<std::size_t>(a.nv()); ++k) pairs.emplace_back(k, k);
  return pairs;
}

// What tells the runs apart: robot, payload, motion.
std::pair<std::string, std::string> labels(const ReportRun& a, const ReportRun& b) {
  std::vector<std::string> x, y;
  auto both = [&](const std::string& of_a, const std::string& of_b) {
    if (of_a == of_b) return;
    x.push_back(of_a);
    y.push_back(of_b);
  };
  both(a.robot.name(), b.robot.name());
  // Files of robots with one name.
  auto file = [](const ReportRun& r) {
    return std::filesystem::path(r.options.robot).filename().string();
  };
  if (x.empty() && a.options.robot != b.options.robot)
    file(a) != file(b) ? both(file(a), file(b)) : both(a.options.robot, b.options.robot);
  if (a.options.payload != b.options.payload) both(a.model.payload, b.model.payload);
  both(a.motion_name, b.motion_name);
  return {fmt::format("{}", fmt::join(x, ", ")), fmt::format("{}", fmt::join(y, ", "))};
}

Json compare_json(const ReportRun& a, const ReportRun& b) {
  if (a.motion.t.empty() != b.motion.t.empty())
    throw Error(
        "--compare-motion: one motion has a column of time and the other has none; give both one");
  const auto pairs = paired(a.robot, b.robot);
  std::vector<char> of_a(a.robot.nv()), of_b(b.robot.nv());
  Json list = Json::array();
  for (const auto& [i, j] : pairs) {
    list.push_back({i, j});
    of_a[i] = of_b[j] = 1;
  }
  auto rest = [](const Robot& r, const std::vector<char>& used) {
    Json names = Json::array();
    for (std::size_t k = 0; k < used.size(); ++k)
      if (!used[k]) names.push_back(r.velocity_names()[k]);
    return names;
  };
  const auto [first, second] = labels(a, b);
  const Json robot = robot_json(b.robot);
  const Json motion = motion_json(b.robot, b.motion, b.torques, b.motion_name);
  Json kept;
  for (const char* key : {"name", "rows", "t", "q", "v", "tau"}) kept[key] = motion[key];
  return {{"labels", {first, second}},
          {"model", b.model.json()},
          {"coordinates", robot["coordinates"]},
          {"nq", robot["nq"]},
          {"motion", kept},
          {"limits", b.limits_json()},
          {"pairs", list},
          {"alone", {rest(a.robot, of_a), rest(b.robot, of_b)}}};
}

// The robot's torques in JavaScript for the page, with a payload at its tip as an argument.
std::string live_programs(const ReportOptions& o, const Robot& robot, PageData& report) {
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

void add_studies(const ReportOptions& o, const Robot& robot, PageData& report) {
  ControlLawOptions law;
  law.robot = o.torque;
  law.robot.silent = true;  // its warnings were shown
  if (!o.no_formulations)
    report.study("formulations", "the table of formulations", false,
                 [&] { return formulations_json(robot); });
  if (o.schedule || o.all)
    report.study("schedule", "--schedule", o.schedule.has_value(), [&] {
      return schedule_json(robot, o.torque.robot, o.schedule.value_or(processors_of_all));
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

}  // namespace

void check_report_options(const ReportOptions& o) {
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
  if (o.compare && o.compare->empty())
    throw Error("--compare: the name of the robot is empty; give a name or a file");
  if (o.compare_motion && o.compare_motion->empty())
    throw Error("--compare-motion: the name of the motion is empty; give a name or a file");
  if (o.compares()) {
    const TorqueOptions t = second_options(o);
    auto name = [](const MotionOptions& m) { return m.file ? "" : m.name.value_or("default"); };
    if (t.robot == o.torque.robot && t.payload == o.torque.payload &&
        name(t.motion) == name(o.torque.motion) && t.motion.file == o.torque.motion.file)
      throw Error(fmt::format("{}: both runs are the same; give another robot, payload or motion",
                              o.compare           ? "--compare"
                              : o.compare_payload ? "--compare-payload"
                                                  : "--compare-motion"));
    if (o.torque.robot == "-" && t.robot == "-" && !o.compare_payload && !o.compare_motion)
      throw Error("--compare: standard input can be read once; give a file");
  }
  if (o.json && o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
}

std::vector<std::string> named_files(const ReportOptions& o) {
  std::vector<std::string> files;
  std::error_code no;
  auto add = [&](const std::optional<std::string>& path) {
    if (path && std::filesystem::is_regular_file(*path, no)) files.push_back(*path);
  };
  add(o.torque.robot);
  add(o.torque.motion.file);
  add(o.compare);
  add(o.compare_motion);
  return files;
}

ReportResult report_page(ReportOptions o, std::optional<long> watch) {
  const ReportRun run(o.torque, o.all);
  const Robot& robot = run.robot;
  o.torque.friction = run.options.friction;
  if (o.torque.friction && run.frictionless)
    note("{}: note: the robot has no friction, bearings or drives; --friction has no effect",
         robot.description().file);
  std::optional<ReportRun> other;
  if (o.compares()) {
    TorqueOptions t = second_options(o);
    t.friction = o.torque.friction;
    other.emplace(std::move(t), o.all);
  }
  PageData report;
  report.set("model", run.model.json());
  report.set("robot", robot_json(robot));
  const Visuals looks =
      visuals_of(robot.description().file, 60'000, std::size_t{256} << 20,
                 PackagePath(load_options(o.torque).packages), robot.description().text);
  for (const std::string& text : looks.notes) report.note(in_flags(text));
  report.set("visuals", visuals_json(robot, looks));
  Json motion = motion_json(robot, run.motion, run.torques, run.motion_name);
  motion["stride"] = run.stride;
  if (run.stride > 1)
    report.note(fmt::format("of {} samples, this page has every {}th; the verdict is that of all",
                            run.all_samples, run.stride));
  report.set("motion", std::move(motion));
  report.set("limits", run.limits_json());
  if (o.torque.friction) report.set("friction", friction_parts_json(run.torques, robot.nv()));
  if (other) report.set("compare", compare_json(run, *other));
  ReportPage page;
  page.title = robot.name();
  page.watch = watch;
  page.programs = live_programs(o, robot, report);
  add_studies(o, robot, report);
  page.data = report.data();

  ReportResult result;
  result.html = text(page);
  result.robot = robot.name();
  result.model = run.model.text();
  result.samples = run.motion.rows;
  result.holds = holds_json(run.limits.verdict, false);
  result.sections = report.sections;
  result.notes = report.notes;
  result.files = named_files(o);
  std::error_code no;
  for (const std::string& file : robot.description().included)
    if (std::filesystem::is_regular_file(file, no)) result.files.push_back(file);
  if (other)
    for (const std::string& file : other->robot.description().included)
      if (std::filesystem::is_regular_file(file, no)) result.files.push_back(file);
  return result;
}

}  // namespace parid::cli
