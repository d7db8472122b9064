// Motions between Python and C++: a tuple (t, q, v, a) of arrays, a name, or a file; and simulated
// motions.

#pragma once

#include "bindings.hpp"
#include "layer.hpp"
#include "motion/trajectory.hpp"
#include "parid/simulation.hpp"

namespace parid::python {

py::dict dict_of(const Robot&, const SampledTrajectory&);
py::dict dict_of(const Robot&, const SimulationResult&);

// Of `measure`: motor or link. Throws Error for another word, and for link with rigid joints.
bool measures_links(const std::string& word, bool elastic);
SampledTrajectory sampled_trajectory_of(const Robot&, const py::tuple& t_q_v_a);

// A name of the list, a file of moves or of samples, or samples themselves; none: the default
// motion.
TrajectoryPointer trajectory_of(const Robot&, const py::object&);

}  // namespace parid::python
