#include "cli/commands/hardware/hardware_serial.hpp"

#include <fmt/format.h>

#include "cli/output/terminal.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/host_io.hpp"
#include "hardware/serial/serial_machine.hpp"
#include "hardware/verilog/verilog.hpp"

namespace parid::cli {
namespace {

std::vector<HostLoad> loads_of(const HostNeeds& n) {
  return host_loads(n.words_in, n.words_out, n.word, n.interval, n.megahertz);
}

std::vector<EmittedFile> serial_files(const SerialMachine& m, const std::string& name,
                                      int samples) {
  const std::vector<VerilogPort> port{{"word", m.fixed.word}};
  std::string sent, wanted;
  for (const auto& words : fixed_samples(m.fixed, samples, 1)) {
    for (const Raw& w : words) sent += verilog_memory_line(port, std::span(&w, 1));
    for (const Raw& w : evaluate(m.fixed, words))
      wanted += verilog_memory_line(port, std::span(&w, 1));
  }
  return {{name + ".v", verilog_serial(m, name)},
          {name + "_spi.v", verilog_spi(m, name)},
          {name + "_hx8k.pcf", hx8k_pins()},
          {name + "_bench.v", verilog_serial_bench(m, name, samples)},
          {name + "_in.hex", sent},
          {name + "_out.hex", wanted}};
}

}  // namespace

Json host_json(const HostNeeds& n) {
  Json buses = Json::array();
  for (const HostLoad& l : loads_of(n))
    buses.push_back({{"bus", l.bus->id},
                     {"clocks_in", l.clocks_in},
                     {"clocks_out", l.clocks_out},
                     {"megahertz", l.bus->megahertz},
                     {"microseconds", l.microseconds},
                     {"machine_microseconds", l.machine_microseconds},
                     {"samples_per_second", l.samples_per_second},
                     {"balance_megahertz", l.balance_megahertz},
                     {"limits", l.limits()}});
  return buses;
}

void print_host(const HostNeeds& n) {
  fmt::print("host: {} words in, {} out per sample; the machine takes {:.4g} µs at {:g} MHz\n",
             n.words_in, n.words_out, static_cast<double>(n.interval) / n.megahertz, n.megahertz);
  for (const HostLoad& l : loads_of(n))
    fmt::print("  {:<12} {:>8.4g} µs, {}; at most {:.4g} samples/s ({})\n", l.bus->id,
               l.microseconds,
               l.limits() ? fmt::format("the limit above {:.3g} MHz", l.balance_megahertz)
                          : "the machine is the limit",
               l.samples_per_second, l.bus->says);
}

int run_serial(const SerialRun& o, hardware::FixedGraph fixed) {
  const SerialMachine m = serial_machine(std::move(fixed));
  const std::string name = codegen::identifier(o.robot) + "_" + o.what;
  const auto written = o.output ? write_files(*o.output, serial_files(m, name, o.samples))
                                : std::vector<std::string>{};
  const HostNeeds needs{m.inputs, m.outputs, m.fixed.word, m.interval(), o.megahertz};
  if (o.json) {
    print({{"schema", o.schema},
           {"robot", o.robot},
           {"what", o.what},
           {"unit", "serial"},
           {"modules", m.angles > 0 ? 3 : 2},
           {"multipliers", 1},
           {"adders", 1},
           {"sine_units", m.angles > 0 ? 1 : 0},
           {"multiplications", m.multiplications},
           {"additions", m.additions},
           {"instructions", m.program.size()},
           {"memory_words", m.memory.size()},
           {"load_clocks", m.load_clocks()},
           {"output_clocks", m.output_clocks()},
           {"interval", m.interval()},
           {"latency", m.interval()},
           {"word", m.fixed.word},
           {"max_error", o.measured_error},
           {"error_bound", o.error_bound},
           {"words_in", needs.words_in},
           {"words_out", needs.words_out},
           {"megahertz", needs.megahertz},
           {"host", host_json(needs)},
           {"files", written}});
    return 0;
  }
  fmt::print("{}: {} on one multiplier, one adder{}, words of {} bits in a memory of {}\n", o.robot,
             o.what, m.angles > 0 ? " and one CORDIC rotation" : "", m.fixed.word, m.memory.size());
  fmt::print(
      "{} instructions: {} multiplications, {} additions, {} sine-cosine pairs; one sample every "
      "{} "
      "clocks, {} of them to load and {} to return words\n",
      m.program.size(), m.multiplications, m.additions, m.angles, m.interval(), m.load_clocks(),
      m.output_clocks());
  fmt::print("largest error on random samples: {:.2g} of full scale; proven bound: {:.2g}\n",
             o.measured_error, o.error_bound);
  print_host(needs);
  for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  return 0;
}

}  // namespace parid::cli
