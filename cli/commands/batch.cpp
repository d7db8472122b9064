// parid batch: very many samples, from one HDF5 file into another.

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
  if (o.batch.output.empty()) throw Error("OUT: the name of the file is empty; give one");
  if (o.block < 0) throw Error(fmt::format("--block: {} rows; give one or more", o.block));
  check_verify(o.verify);
  if (!(o.batch.checkpoint >= 0 && o.batch.checkpoint <= 3600))
    throw Error("--checkpoint: give seconds, from 0 to 3600");
  o.batch.quantity = batched_quantity(o.what);
  if (!o.batch.link.empty() && !info(o.batch.quantity).needs_link) {
    std::vector<std::string> of_links;
    for (const Quantity one : batched_quantities())
      if (info(one).needs_link) of_links.emplace_back(name(one));
    throw Error(fmt::format("--link: '{}' does not speak of a link; {} do", o.what,
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
  if (r.resumed_rows > 0) fmt::print(", {} of them from before", r.resumed_rows);
  fmt::print(
      "; {:.3g} s, {:.3g} rows/s, {:.3g} GB/s in and out, {} kernel, {} process{} of {} "
      "thread{}\n",
      r.seconds, rows / r.seconds,
      static_cast<double>(r.bytes_read + r.bytes_written) / r.seconds / 1e9, name(r.kernel),
      r.ranks, r.ranks == 1 ? "" : "es", r.threads, r.threads == 1 ? "" : "s");
}

int report(const Options& o, const Robot& robot, const BatchResult& r) {
  if (r.rows_not_finite > 0)
    note("{}: note: {} row{} with results that are not finite", o.batch.output, r.rows_not_finite,
         r.rows_not_finite == 1 ? "" : "s");
  if (r.rows_not_unit > 0)
    note(
        "{}: warning: {} row{} with a quaternion whose length is not 1; they are computed as if "
        "scaled "
        "to length 1; the scalar is the last of the four",
        o.batch.input, r.rows_not_unit, r.rows_not_unit == 1 ? "" : "s");
  if (o.json)
    print(result_json(o, robot, r));
  else
    print_summary(o, r);
  if (!r.verified) return 0;
  const Verification& v = *r.verified;
  if (!v.good()) {
    say_error(fmt::format(
        "{}: row [{}] differs from what {} gives by {:.3g}, more than {:.0e}; left as {}.partial",
        o.batch.input, v.worst_row, v.method, v.max_relative_error, v.tolerance, o.batch.output));
    return 1;
  }
  if (!o.json) fmt::print("{}\n", text(v));
  return 0;
}

int run_on(Options& o, Ranks* ranks) {
  o.robot.force = o.robot.force || (ranks && ranks->rank() > 0);  // one warning is enough
  std::optional<Robot> loaded;
  together(ranks, [&] {
    check_options(o);
    loaded = asked_robot(o.robot);
  });
  const Robot& robot = *loaded;
  if (o.kernel != "auto")
    o.batch.kernel = o.kernel == "generic"       ? KernelKind::generic
                     : o.kernel == "interpreted" ? KernelKind::interpreted
                                                 : KernelKind::compiled;
  o.batch.block_rows = static_cast<std::uint64_t>(o.block);
  o.batch.verify = static_cast<std::uint64_t>(o.verify.value_or(0));
  o.batch.version = parid_version();
  const bool speaks = !ranks || ranks->rank() == 0;
  Progress progress(o.what);
  if (speaks) {
    // Of this process' share: the others' are as large.
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

// What one process alone suffers ends all of them; what all suffer is told once.
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

void add_batch(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c =
      app.add_subcommand("batch", "very many samples: HDF5 in, HDF5 out, alone or under mpirun");
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  c->add_option("WHAT", o.what, fmt::format("{}", fmt::join(names(batched_quantities()), ", ")))
      ->required();
  c->add_option("IN", o.batch.input,
                "datasets q (N, nq), and v, a, tau (N, nv) where the quantity takes them")
      ->required();
  c->add_option("OUT", o.batch.output, "datasets of the answers, N rows each; whole or not at all")
      ->required();
  c->add_flag("--float", o.batch.single, "compute in single precision and write float32");
  c->add_option("--link", o.batch.link, "of kinematics and jacobian (default: the tip)")
      ->option_text("NAME");
  c->add_option("--gravity", o.robot.gravity, "in m/s², instead of the robot file's")
      ->option_text("X,Y,Z");
  c->add_option("--payload", o.robot.payload, "a body on a link, as for parid torque")
      ->option_text("[LINK:]MASS...");
  c->add_flag("--floating", o.robot.floating,
              "hang the root link on a floating joint named after it");
  add_verify(*c, o.verify);
  c->add_flag("--overwrite", o.batch.overwrite, "where OUT is there already");
  c->add_flag("--restart", o.batch.restart,
              "do not go on with what an earlier run left unfinished");
  c->add_option("--block", o.block, "rows that are read, computed and written at a time")
      ->option_text("ROWS");
  c->add_option("--checkpoint", o.batch.checkpoint,
                "how often finished rows are brought to the disk and noted in the journal")
      ->option_text("SECONDS");
  c->add_option("--kernel", o.kernel,
                fmt::format("generic, interpreted or compiled, as for parid torque; auto: compiled "
                            "from {} rows on",
                            grouped(compile_from_rows)))
      ->check(CLI::IsMember({"auto", "generic", "interpreted", "compiled"}))
      ->capture_default_str();
  c->add_option("--threads", o.batch.threads, "of each process (default: all its cores)")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
  c->add_flag("--force", o.robot.force,
              "do not show the robot's warnings; its errors always refuse it");
  c->add_flag("--json", o.json, "one JSON object on standard output");
  c->footer(
      "A run that was killed goes on when the same command is given again; until the output is "
      "whole it is OUT.partial. Its bytes do not depend on that, nor on processes and threads.\n"
      "Examples:  parid batch puma560 inverse motions.h5 torques.h5 --verify\n"
      "           mpirun -n 64 parid batch panda mass states.h5 masses.h5 --threads 1\n");
  c->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
