#include "cli/summary/report_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/input/torque_evaluation.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/summary/limits_report.hpp"
#include "cli/summary/report_parts.hpp"
#include "cli/summary/report_run.hpp"
#include "codegen/emit/languages.hpp"
#include "codegen/trace/generate.hpp"
#include "parid/limits.hpp"
#include "parid/parid.h"
#include "report/page.hpp"

namespace parid::cli {
namespace {

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
