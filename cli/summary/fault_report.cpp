#include "cli/summary/fault_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/file/csv.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

std::string coordinate_name(const Robot& robot, int k) {
  return k < 0 ? "" : robot.velocity_names()[static_cast<std::size_t>(k)];
}
// The largest residual over its threshold.
double worst_share(const FaultDetection& d) {
  double most = 0;
  for (std::size_t k = 0; k < d.peak.size(); ++k) most = std::max(most, d.peak[k] / d.threshold[k]);
  return most;
}

}  // namespace

void add_study(CLI::App& c, FaultStudyOptions& o) {
  c.add_option("--fault", o.faults,
               "let this go wrong in the robot, and find it with the momentum observer; may be "
               "repeated, one run each:\n"
               "  loss:JOINT=SHARE@T[+D]               the motor gives that share less from T on "
               "(for D seconds)\n"
               "  payload:LINK=KG[,X,Y,Z]@T[+D]        a mass on the link\n"
               "  collision:LINK=FX,FY,FZ[,X,Y,Z]@T[+D]  a force in N along the root's axes on the "
               "link's point")
      ->option_text("FAULT")
      ->allow_extra_args(false);
  c.add_option("--observer", o.observer,
               "gain of the momentum observer in 1/s (default with --fault: 50)")
      ->option_text("K");
  c.add_option("--threshold", o.threshold,
               "residuals that count as a fault, N m or N by joint, or one for all (default: "
               "--margin times those of a run without a fault and with other noise)")
      ->option_text("X,...");
  c.add_option("--margin", o.margin, "factor of calibrated thresholds (default: 1.5)")
      ->option_text("X");
  c.add_option("--residuals", o.residuals, "write the residuals of each period to .csv")
      ->option_text("FILE");
}

void check_study(const FaultStudyOptions& o, const CLI::App& c) {
  if (!o.asked())
    refuse(c, {"--threshold", "--margin", "--residuals"},
           "it is of the momentum observer; give --fault or --observer too");
  if (o.threshold)
    refuse(c, {"--margin"}, "it calibrates thresholds; omit one of --margin and --threshold");
  if (o.faults.size() > 1)
    refuse(c, {"--residuals", "--output", "--plot", "--record"},
           "every --fault is a run of its own; give one of them alone");
  if (o.observer && !(*o.observer > 0 && std::isfinite(*o.observer)))
    throw Error(fmt::format("--observer: {:g} is out of range; give a rate in 1/s, such as 50",
                            *o.observer));
}

int FaultStudy::missed() const {
  return static_cast<int>(std::count_if(rows.begin(), rows.end(), [](const Row& r) {
    return r.fault ? !r.found.detected_at : r.found.false_alarms > 0;
  }));
}

FaultStudy fault_study(const FaultStudyOptions& o, const Robot& plant, const LawDesign& d,
                       const TrajectoryPointer& motion, const ControlOptions& control) {
  ObserverDesign by;
  by.gain = o.observer.value_or(by.gain);
  by.margin = o.margin;
  if (o.threshold) by.threshold = numbers("--threshold", *o.threshold);
  FaultStudy study;
  study.gain = by.gain;
  for (const std::string& text : o.faults) {
    try {
      study.rows.push_back({parse_fault(plant, text), {}});
    } catch (const Error& e) {
      throw Error(fmt::format("--fault: {}", e.what()));
    }
  }
  if (study.rows.empty()) study.rows.emplace_back();
  Progress progress("controlling");
  for (std::size_t k = 0; k < study.rows.size(); ++k) {
    ControlOptions options = control;
    options.progress = [&](double share) {
      progress.at((static_cast<double>(k) + share) / static_cast<double>(study.rows.size()));
    };
    study.rows[k].found = detect_fault(plant, d, motion, options, study.rows[k].fault, by);
    by.threshold = study.rows[k].found.threshold;  // calibrated once
  }
  if (o.residuals) {
    const FaultDetection& found = study.rows.front().found;
    std::vector<std::string> columns{"t"};
    for (const std::string& name : plant.velocity_names()) columns.push_back("r:" + name);
    CsvWriter csv(*o.residuals, columns);
    const std::size_t n = found.threshold.size();
    for (std::size_t row = 0; row < found.t.size(); ++row) {
      std::vector<double> x{found.t[row]};
      for (std::size_t k = 0; k < n; ++k) x.push_back(found.residual[row * n + k]);
      csv.row(x);
    }
    csv.commit();
  }
  return study;
}

Json json_of(const FaultStudy& s, const Robot& robot, Json head) {
  const FaultDetection& first = s.rows.front().found;
  head["coordinates"] = robot.velocity_names();
  head["observer"] = s.gain;
  head["threshold"] = first.threshold;
  Json rows = Json::array();
  for (const FaultStudy::Row& r : s.rows) {
    const FaultDetection& d = r.found;
    auto maybe = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
    auto whose = [&](int k) { return k < 0 ? Json(nullptr) : Json(coordinate_name(robot, k)); };
    rows.push_back({{"fault", r.fault ? Json(r.fault->text) : Json(nullptr)},
                    {"start", r.fault ? Json(r.fault->start) : Json(nullptr)},
                    {"detected_at", maybe(d.detected_at)},
                    {"delay", maybe(d.delay)},
                    {"coordinate", whose(d.coordinate)},
                    {"outermost", whose(d.outermost)},
                    {"peak", d.peak},
                    {"false_alarms", d.false_alarms},
                    {"max_error", d.control.max_error},
                    {"diverged_at", maybe(d.control.diverged_at)}});
  }
  head["faults"] = rows;
  return head;
}

void say(const FaultStudy& s, const Robot& robot) {
  const FaultDetection& first = s.rows.front().found;
  fmt::print("momentum observer of {:g}/s; thresholds in N m or N:\n", s.gain);
  for (std::size_t k = 0; k < first.threshold.size(); ++k)
    fmt::print("  {:<16} {:.4g}\n", coordinate_name(robot, static_cast<int>(k)),
               first.threshold[k]);
  for (const FaultStudy::Row& r : s.rows) {
    const FaultDetection& d = r.found;
    if (!r.fault) {
      fmt::print("\nno fault: largest residual {:.3g} of its threshold, {} periods with an alarm\n",
                 worst_share(d), d.false_alarms);
      continue;
    }
    fmt::print("\n{}\n", harmless(r.fault->text));
    if (d.detected_at)
      fmt::print("  detected       at {:.6g} s, {} after its start, by the residual of {}\n",
                 *d.detected_at, human_time(*d.delay), coordinate_name(robot, d.coordinate));
    else
      fmt::print("  not detected   no residual exceeds its threshold\n");
    fmt::print("  residuals      up to {:.3g} times the threshold{}\n", worst_share(d),
               d.outermost < 0
                   ? ""
                   : fmt::format("; above it up to joint {}", coordinate_name(robot, d.outermost)));
    fmt::print("  false alarms   {} periods before its start\n", d.false_alarms);
    fmt::print(
        "  largest error  {:.4g}{}\n", d.control.max_error,
        d.control.diverged_at ? fmt::format(", diverged at {:.4g} s", *d.control.diverged_at) : "");
  }
}

Figure residual_figure(const FaultStudy& s, const Robot& robot) {
  const FaultDetection& d = s.rows.front().found;
  const std::size_t n = d.threshold.size();
  Figure figure;
  figure.title = fmt::format("{}: residuals over thresholds{}", robot.name(),
                             s.rows.front().fault ? ", " + s.rows.front().fault->text : "");
  figure.x = d.t;
  std::vector<Curve> curves(n);
  for (std::size_t k = 0; k < n; ++k) {
    curves[k].name = coordinate_name(robot, static_cast<int>(k));
    curves[k].style = static_cast<int>(k);
    for (std::size_t row = 0; row < d.t.size(); ++row)
      curves[k].y.push_back(d.residual[row * n + k] / d.threshold[k]);
  }
  for (Panel& part : split(Panel{"residual over threshold", "", std::move(curves)}))
    figure.panels.push_back(std::move(part));
  return figure;
}

}  // namespace parid::cli
