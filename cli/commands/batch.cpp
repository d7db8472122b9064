// parid batch: evaluates the samples of one HDF5 file into another.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>
#include <memory>

#include <chrono>
#include <cstdio>

#include "cli/command.hpp"
#include "cli/input/torque_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/summary/torque_report.hpp"
#include "cluster/batch.hpp"
#include "cluster/identity.hpp"
#include "parid/parid.h"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/kernel/specialized_program.hpp"

namespace parid::cli {
namespace batch_command {
namespace {

struct Options {
  TorqueOptions robot;
  BatchOptions batch;
  std::string what;
  std::string kernel = "auto";
  long block = 0;
  std::optional<long> verify;
  bool json = false;
};

void check_options(Options& o) {
  if (o.batch.output.empty()) throw Error("OUT: the name of the output file is empty; give a path");
  if (o.block < 0)
    throw Error(fmt::format("--block: {} rows is out of range; give 1 or more", o.block));
  check_verify(o.verify);
  if (!(o.batch.checkpoint >= 0 && o.batch.checkpoint <= 3600))
    throw Error("--checkpoint: give seconds, from 0 to 3600");
  o.batch.quantity = batched_quantity(o.what);
  if (!o.batch.link.empty() && !info(o.batch.quantity).needs_link) {
    std::vector<std::string> of_links;
    for (const Quantity one : batched_quantities())
      if (info(one).needs_link) of_links.emplace_back(name(one));
    throw Error(fmt::format("--link: '{}' does not depend on a link; use it with {}", o.what,
                            fmt::join(of_links, " and ")));
  }
}

Json result_json(const Options& o, const Robot& robot, const BatchResult& r) {
  Json object{{"schema", "parid.batch/1"},
              {"robot", robot.name()},
              {"robot_hash", content_hash(robot)},
              {"what", o.what},
              {"input", o.batch.input},
              {"output", o.batch.output},
              {"rows", r.rows},
              {"resumed_rows", r.resumed_rows},
              {"rows_not_finite", r.rows_not_finite},
              {"rows_not_unit", r.rows_not_unit},
              {"seconds", r.seconds},
              {"preparing", r.preparing},
              {"rows_per_second", static_cast<double>(r.rows - r.resumed_rows) / r.seconds},
              {"bytes", r.bytes_read + r.bytes_written},
              {"bytes_read", r.bytes_read},
              {"bytes_written", r.bytes_written},
              {"block", r.block_rows},
              {"ranks", r.ranks},
              {"threads", r.threads},
              {"kernel", name(r.kernel)},
              {"instructions", r.instructions},
              {"float", o.batch.single},
              {"verified", nullptr}};
  if (r.verified) object["verified"] = json_of(*r.verified);
  return object;
}

void print_summary(const Options& o, const BatchResult& r) {
  const double rows = static_cast<double>(r.rows - r.resumed_rows);
  fmt::print("{}: {} rows", harmless(o.batch.output), r.rows);
  if (r.resumed_rows > 0) fmt::print(", {} of them from an earlier run", r.resumed_rows);
  fmt::print(
      "; {:.3g} s, {:.3g} rows/s, {:.3g} GB/s read and written, {} kernel, {} process{} with {} "
      "thread{}\n",
      r.seconds, rows / r.seconds,
      static_cast<double>(r.bytes_read + r.bytes_written) / r.seconds / 1e9, name(r.kernel),
      r.ranks, r.ranks == 1 ? "" : "es", r.threads, r.threads == 1 ? "" : "s");
}

int report(const Options& o, const Robot& robot, const BatchResult& r) {
  if (r.rows_not_finite > 0)
    note("{}: note: {} row{} with non-finite results", o.batch.output, r.rows_not_finite,
         r.rows_not_finite == 1 ? "" : "s");
  if (r.rows_not_unit > 0)
    note(
        "{}: warning: {} row{} with a quaternion that is not unit length; normalized (order x, y, "
        "z, w)",
        o.batch.input, r.rows_not_unit, r.rows_not_unit == 1 ? "" : "s");
  if (o.json)
    print(result_json(o, robot, r));
  else
    print_summary(o, r);
  if (!r.verified) return 0;
  const Verification& v = *r.verified;
  if (!v.good()) {
    say_error(fmt::format(
        "{}: row [{}] differs from {} by {:.3g}, more than {:.0e}; the output is left as "
        "{}.partial",
        o.batch.input, v.worst_row, v.method, v.max_relative_error, v.tolerance, o.batch.output));
    return 1;
  }
  if (!o.json) fmt::print("{}\n", text(v));
  return 0;
}

int run_on(Options& o, Ranks* ranks) {
  o.robot.silent = (ranks && ranks->rank() > 0);  // one warning is enough
  std::optional<Robot> loaded;
  together(ranks, [&] {
    check_options(o);
    loaded = asked_robot(o.robot);
  });
  const Robot& robot = *loaded;
  if (o.kernel != "auto")
    for (const KernelKind k :
         {KernelKind::generic, KernelKind::interpreted, KernelKind::machine, KernelKind::compiled})
      if (o.kernel == name(k)) o.batch.kernel = k;
  o.batch.block_rows = static_cast<std::uint64_t>(o.block);
  o.batch.verify = static_cast<std::uint64_t>(o.verify.value_or(0));
  o.batch.version = parid_version();
  const bool speaks = !ranks || ranks->rank() == 0;
  Progress progress(o.what);
  if (speaks) {
    // The progress of this process; the others have equal shares.
    const int size = ranks ? ranks->size() : 1;
    o.batch.progress = [&progress, size, start = std::chrono::steady_clock::now()](
                           std::uint64_t done, std::uint64_t mine, std::uint64_t) {
      const double s =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      progress.at(static_cast<double>(done) / static_cast<double>(mine),
                  fmt::format("{:.3g} rows/s", static_cast<double>(done) * size / s));
    };
    o.batch.note = [](const std::string& text) { note("parid: {}", text); };
  }
  const BatchResult r = run_batch(robot, o.batch, ranks);
  if (speaks) return report(o, robot, r);
  return r.verified && !r.verified->good() ? 1 : 0;
}

// An error in one process ends all of them; an error in all is reported once.
int run(Options& o) {
  const std::unique_ptr<Ranks> ranks = started_by_mpirun() ? hdf5().ranks() : nullptr;
  if (!ranks || ranks->size() == 1) return run_on(o, nullptr);
  try {
    return run_on(o, ranks.get());
  } catch (const SharedError& e) {
    if (ranks->rank() == 0) say_error(e.what());
    return 2;
  } catch (const std::exception& e) {
    say_error(fmt::format("parid: rank {} of {}: {}", ranks->rank(), ranks->size(), e.what()));
    std::fflush(stderr);
    ranks->abort(2);
    return 2;
  }
}

}  // namespace
}  // namespace batch_command

void add_batch(CLI::App& app, Action& action) {
  using namespace batch_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "batch", "Compute a quantity for very many samples, from HDF5 to HDF5, also under mpirun");
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  c->add_option("WHAT", o.what, fmt::format("{}", fmt::join(names(batched_quantities()), ", ")))
      ->required();
  c->add_option(
       "IN", o.batch.input,
       "input file with datasets q (N, nq), and v, a, tau (N, nv) if the quantity needs them")
      ->required();
  c->add_option(
       "OUT", o.batch.output,
       "output file with one dataset per result, N rows each; written completely or not at all")
      ->required();
  c->add_flag("--float", o.batch.single, "compute in single precision and write float32");
  c->add_option("--link", o.batch.link, "link of kinematics and jacobian (default: the tip)")
      ->option_text("NAME");
  c->add_option("--gravity", o.robot.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_option("--payload", o.robot.payload, "attach a body to a link, as in `parid torque`")
      ->option_text("[LINK:]MASS...");
  c->add_flag("--floating", o.robot.floating, "give the robot a floating base");
  add_verify(*c, o.verify);
  c->add_flag("--overwrite", o.batch.overwrite, "replace OUT if it exists");
  c->add_flag("--restart", o.batch.restart, "discard an unfinished earlier run and start again");
  c->add_option("--block", o.block, "rows that are read, computed and written at a time")
      ->option_text("ROWS");
  c->add_option("--checkpoint", o.batch.checkpoint, "time between two checkpoints of finished rows")
      ->option_text("SECONDS");
  c->add_option("--kernel", o.kernel,
                fmt::format("generic, interpreted, machine or compiled, as for parid torque; auto: "
                            "compiled from {} rows on",
                            grouped(specialize_from_rows)))
      ->check(CLI::IsMember({"auto", "generic", "interpreted", "machine", "compiled"}))
      ->capture_default_str();
  c->add_option("--threads", o.batch.threads, "threads per process (default: all cores)")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
  add_robot_changes(*c, o.robot);
  add_frame_and_tip(*c, o.robot);
  add_no_rotors(*c, o.robot);
  add_force(*c, o.robot);
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "Repeat the command to continue a run that was interrupted. Until the output is complete its "
      "name is OUT.partial. The bytes of the output do not depend on interruptions, processes or "
      "threads.\nExamples:  parid batch puma560 inverse motions.h5 torques.h5 --verify\n           "
      "mpirun -n 64 parid batch panda mass states.h5 masses.h5 --threads 1\n");
  c->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
