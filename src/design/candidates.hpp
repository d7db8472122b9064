// Every way to compute the law on the asked targets, with the time that a step takes.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "design/layer.hpp"
#include "design/step_program.hpp"
#include "design/step_timing.hpp"
#include "design/target.hpp"
#include "hardware/pipeline/arithmetic.hpp"
#include "parid/design.hpp"

namespace parid::design {

struct Candidate {
  DesignCandidate public_;
  Target target;
  std::vector<double> torque_error;  // N m or N, of fixed-point words; empty: none
};

std::vector<Candidate> candidates(const Robot& model, const DesignOptions&);

// The programs of a candidate that has some, with these gains.
struct CandidateProgram {
  StepProgram program;
  StepTiming timing;
};
CandidateProgram program_of(const Robot& model, const DesignCandidate&, const Target&,
                            const Gains&);

// The fixed-point graph of inverse dynamics, and the machine that computes it. `units`: 0 for one
// per operation.
std::shared_ptr<const FixedGraph> fixed_dynamics(const Robot& model, int word, double acceleration);
ArithmeticPipeline machine_of(const FixedGraph&, int units);
int bits_of(const std::string& word);  // "fixed24": 24; 0 for other words

// The grain of tasks that a schedule of this candidate has.
inline constexpr int schedule_grains[] = {4, 16};

}  // namespace parid::design
