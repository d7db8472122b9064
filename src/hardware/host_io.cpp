#include "hardware/host_io.hpp"

#include <algorithm>

namespace parid::hardware {

std::span<const HostBus> host_buses() {
  static constexpr HostBus all[] = {
      {"spi", "SPI at 25 MHz, one bit per clock, in then out", 25, 1, 0, 1, false},
      {"axi4_lite", "AXI4-Lite, 32 bits at 100 MHz, 4 clocks per transfer, in then out", 100, 32, 3,
       32, false},
      {"axi4_stream", "AXI4-Stream, 64 bits at 100 MHz, both ways at once", 100, 64, 0, 64, true},
  };
  return all;
}

std::vector<HostLoad> host_loads(int words_in, int words_out, int word, long interval,
                                 double megahertz) {
  std::vector<HostLoad> out;
  for (const HostBus& b : host_buses()) {
    auto clocks = [&](long words) {
      // Short words share a transfer, long ones take several.
      const long per_transfer = b.transfer / word;
      const long transfers = per_transfer > 0 ? (words + per_transfer - 1) / per_transfer
                                              : words * ((word + b.transfer - 1) / b.transfer);
      return transfers * (b.transfer / b.width + b.overhead);
    };
    HostLoad l{&b, clocks(words_in), clocks(words_out), 0, 0, 0, 0};
    const long all = b.both_ways ? std::max(l.clocks_in, l.clocks_out) : l.clocks_in + l.clocks_out;
    l.microseconds = static_cast<double>(all) / b.megahertz;
    l.machine_microseconds = static_cast<double>(interval) / megahertz;
    l.samples_per_second = 1e6 / std::max(l.microseconds, l.machine_microseconds);
    l.balance_megahertz = static_cast<double>(interval) / l.microseconds;
    out.push_back(l);
  }
  return out;
}

}  // namespace parid::hardware
