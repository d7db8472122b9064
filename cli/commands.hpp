// The list of commands, which main.cpp reads. Separate from command.hpp, so that a new command does
// not recompile all others.

#pragma once

#include "cli/command.hpp"
#include "cli/layer.hpp"

namespace parid::cli {

void add_robots(CLI::App&, Action&);
void add_info(CLI::App&, Action&);
void add_check(CLI::App&, Action&);
void add_motion(CLI::App&, Action&);
void add_torque(CLI::App&, Action&);
void add_limits(CLI::App&, Action&);
void add_batch(CLI::App&, Action&);
void add_simulate(CLI::App&, Action&);
void add_control(CLI::App&, Action&);
void add_stability(CLI::App&, Action&);
void add_policy(CLI::App&, Action&);
void add_synthesize(CLI::App&, Action&);
void add_design(CLI::App&, Action&);
void add_compare(CLI::App&, Action&);
void add_table(CLI::App&, Action&);
void add_ik(CLI::App&, Action&);
void add_identify(CLI::App&, Action&);
void add_convert(CLI::App&, Action&);
void add_generate(CLI::App&, Action&);
void add_schedule(CLI::App&, Action&);
void add_hardware(CLI::App&, Action&);
void add_reproduce(CLI::App&, Action&);
void add_report(CLI::App&, Action&);
void add_bench(CLI::App&, Action&);
void add_cache(CLI::App&, Action&);
void add_devices(CLI::App&, Action&);

// The list of commands.
inline constexpr AddCommand commands[] = {
    add_robots, add_info,      add_check,    add_convert,  add_motion,     add_torque,
    add_limits, add_batch,     add_simulate, add_control,  add_stability,  add_compare,
    add_table,  add_ik,        add_identify, add_generate, add_schedule,   add_hardware,
    add_report, add_reproduce, add_bench,    add_policy,   add_synthesize, add_cache,
    add_design, add_devices};

}  // namespace parid::cli
