// Output of a simulation: as a trajectory file, as JSON, as a picture, as text.

#pragma once

#include <string>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/plot.hpp"
#include "parid/simulation.hpp"

namespace parid::cli {

// t, q, v, a and tau, in the format that `parid torque` reads. "-": CSV to standard output. A .npy
// file has only q, v and a.
void write_simulation(const Robot&, const SimulationResult&, const std::string& path);

Json json_of(const Robot&, const SimulationResult&);
Figure simulation_figure(const Robot&, const SimulationResult&);

// "limit at 0.31 s: …", then energies and steps, a line each.
std::string said(const SimulationResult&);

}  // namespace parid::cli
