// The question: how long does one set of torques take?
//
// bench/ has one folder per question and in it one file per kind of contestant. Inputs alternate over
// many states, because some libraries keep a joint's last angle.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "parid/model/description.hpp"

namespace parid::bench {

struct States {
  std::size_t rows;
  std::vector<double> q, v, a;  // row-major
};

// What a contestant needs to enter; it returns nothing where it cannot take the robot.
struct Entry {
  Contestant contestant;
  int batch = 1, threads = 1;
  std::vector<double> torques;  // of the states, to check that all compute the same
};
using Entries = std::vector<Entry>;

void add_parid(Entries&, const Description&, std::shared_ptr<const States>);
void add_peers(Entries&, const Description&, std::shared_ptr<const States>);

}  // namespace parid::bench
