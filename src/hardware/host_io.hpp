// Times to transfer a sample to a machine and its result back, over common buses.
//
// A bus moves a number of bits per clock and needs some clocks more for every transfer. The machine
// is limited by input and output if a sample takes longer on the bus than in the machine.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "hardware/layer.hpp"

namespace parid::hardware {

struct HostBus {
  const char *id, *says;
  double megahertz;
  int width;     // bits per clock
  int overhead;  // further clocks per transfer of `transfer` bits
  int transfer;
  bool both_ways;  // inputs and results move at the same time
};
// SPI, AXI4-Lite and AXI4-Stream, with their assumptions.
std::span<const HostBus> host_buses();

struct HostLoad {
  const HostBus* bus;
  long clocks_in, clocks_out;   // of the bus, per sample
  double microseconds;          // per sample, on the bus
  double machine_microseconds;  // per sample, in the machine
  double samples_per_second;    // with transfers during computation
  bool limits() const { return microseconds > machine_microseconds; }
  // The clock of the machine, MHz, above which the bus is the limit.
  double balance_megahertz;
};

// For `words_in` and `words_out` words of `word` bits per sample, and a machine that takes a sample
// every `interval` clocks of `megahertz`. Short words share a transfer; no word is in two
// transfers unless it is longer than one.
std::vector<HostLoad> host_loads(int words_in, int words_out, int word, long interval,
                                 double megahertz);

}  // namespace parid::hardware
