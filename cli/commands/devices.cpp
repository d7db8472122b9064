// parid devices: lists the OpenCL devices of this machine.

#include "parid/device.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"

namespace parid::cli {
namespace devices_command {
namespace {

int run(bool json) {
  const std::vector<ComputeDevice> all = compute_devices();
  if (json) {
    Json devices = Json::array();
    for (const ComputeDevice& d : all)
      devices.push_back({{"name", d.name},
                         {"platform", d.platform},
                         {"version", d.version},
                         {"kind", d.kind},
                         {"double_precision", d.double_precision},
                         {"compute_units", d.compute_units},
                         {"memory", d.memory}});
    print({{"schema", "parid.devices/1"}, {"devices", devices}});
    return all.empty() ? 1 : 0;
  }
  if (all.empty()) {
    fmt::print("no OpenCL device; install a driver, for example pocl-opencl-icd for the CPU\n");
    return 1;
  }
  fmt::print("{}\n", heading(fmt::format("{:<2} {:<11} {:>6} {:>9}  {:<6}  {}", "", "kind", "units",
                                         "GiB", "double", "name, driver")));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const ComputeDevice& d = all[k];
    fmt::print("{:<2} {:<11} {:>6} {:>9.1f}  {:<6}  {}, {}, {}\n", k, d.kind, d.compute_units,
               static_cast<double>(d.memory) / (1 << 30), d.double_precision ? "yes" : "no",
               harmless(d.name), harmless(d.platform), harmless(d.version));
  }
  return 0;
}

}  // namespace
}  // namespace devices_command

void add_devices(CLI::App& app, Action& action) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* c = app.add_subcommand("devices", "List the OpenCL devices of this machine");
  c->add_flag("--json", *json, "print one JSON object to standard output");
  c->footer(
      "Exit code 1 if there is none. $PARID_OPENCL names another library than libOpenCL.so.1.\n"
      "Examples:  parid devices\n           parid torque puma560 --device 0 -o torques.csv");
  c->callback([&action, json] { action = [json] { return devices_command::run(*json); }; });
}

}  // namespace parid::cli
