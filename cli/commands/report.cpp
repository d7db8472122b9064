// parid report: one HTML page about a robot and a motion.

#include <fmt/format.h>

#include <cctype>
#include <memory>

#include "base/file/atomic_file.hpp"
#include "cli/command.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/report_page.hpp"
#include "report/page.hpp"

namespace parid::cli {
namespace report_command {
namespace {

using Options = ReportOptions;

std::string output_path(const Options& o, const std::string& robot) {
  if (o.output) return *o.output;
  std::string name;
  for (const char c : robot)
    name +=
        std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '-';
  while (name.starts_with('.') || name.starts_with('-')) name.erase(0, 1);
  return (name.empty() ? "robot" : name) + "-report.html";
}

int run(Options& o) {
  if (is_help(o.torque.motion)) return print_named_motions(), 0;
  check_report_options(o);
  if (o.serve) return serve_report(o);
  const ReportResult page = report_page(o);
  const std::string path = output_path(o, page.robot);
  AtomicFile file(path);
  file.write(page.html);
  file.commit();
  if (o.json) {
    print({{"schema", "parid.report/1"},
           {"robot", page.robot},
           {"file", path},
           {"bytes", page.html.size()},
           {"samples", page.samples},
           {"model", page.model},
           {"holds", page.holds},
           {"sections", page.sections},
           {"full_page", report_page_is_full()},
           {"notes", page.notes}});
    return 0;
  }
  note("note: torques in the page: {}", page.model);
  for (const std::string& text : page.notes) note("note: {}", text);
  if (!report_page_is_full())
    note("note: the page has no 3-D view; build Parid with npm to include it");
  if (path != "-")
    fmt::print("wrote {}, {:.0f} kB; open it in a browser\n", harmless(path),
               static_cast<double>(page.html.size()) / 1e3);
  return 0;
}

// Refuses options that have no effect.
void check_effects(const Options& o, const CLI::App& c) {
  if (o.serve)
    refuse(c, {"--output", "--json"}, "--serve writes no file; omit it, or omit --serve");
  else
    refuse(c, {"--port"}, "it requires --serve");
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
  c->add_option("--compare", o.compare,
                "put a second robot beside the first, along the same motion; options that change "
                "the structure of the first do not apply to it")
      ->option_text("ROBOT");
  c->add_option("--compare-payload", o.compare_payload,
                "put a run with another payload, or `none`, beside the first")
      ->option_text("[LINK:]MASS...");
  c->add_option("--compare-motion", o.compare_motion,
                "put a run with another motion, by name or file, beside the first")
      ->option_text("MOTION");
  c->add_flag("--serve", o.serve,
              "serve the page on this computer instead of writing it, and reload it in the browser "
              "when the robot or motion file changes; Ctrl-C ends");
  c->add_option("--port", o.port, "port of --serve (default: 8380); 0: a free one")
      ->check(CLI::Range(0, 65535))
      ->option_text("PORT");
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
      "dhanaraj --all\n           parid report ur5 --payload 5 --compare-payload none\n           "
      "parid report arm.urdf motion.csv --serve");
  c->callback([&action, options, c] {
    action = [options, c] {
      check_effects(*options, *c);
      return run(*options);
    };
  });
}

}  // namespace parid::cli
