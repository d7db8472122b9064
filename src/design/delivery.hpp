// What a candidate consists of: its files, and the same as an artefact that runs here.

#pragma once

#include <memory>
#include <vector>

#include "design/artefact.hpp"
#include "design/closed_loop.hpp"
#include "design/layer.hpp"
#include "parid/design.hpp"

namespace parid::design {

// Programs or Verilog, and report.md: every figure and how it was obtained. Throws Error for
// refused candidates, and for those without programs.
std::vector<CodeFile> delivered_files(const Robot& model, const DesignCandidate&,
                                      const DesignResult&);

// Throws Error as above, and without a C compiler.
std::unique_ptr<Artefact> artefact_of(const Robot& model, const DesignCandidate&,
                                      double acceleration);

// predicted_tracking() of a candidate; fixed-point machines with their rounding.
TrackingError predicted_error(const Robot& plant, const Robot& model, const DesignCandidate&,
                              const motion::Trajectory&, double acceleration);

}  // namespace parid::design
