// The friction model that predicts torques best, by cross-validation.
//
// Each log is split into contiguous blocks of time. Block by block, the parameters are fitted to
// the others and predict the torques of this one. Blocks rather than single samples, because errors
// of neighbouring samples are alike. Of the models whose score is within two standard errors and 10
// % of the best, the simplest is chosen; the standard error is that of the differences between
// blocks.
//
// The velocity of Stribeck's rise is nonlinear: a fraction of each joint's largest velocity, the
// one of five with the least residual.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "identification/equations.hpp"
#include "identification/identify.hpp"
#include "identification/layer.hpp"

namespace parid::identification {

// A model without FrictionModel::automatic and with the velocities of Stribeck's rise.
struct FrictionChoice {
  ModelOptions model;
  std::vector<FrictionScore> scores;  // in the order of the list; empty if the model was given
};
FrictionChoice chosen_friction(const Robot&, const ModelOptions&, const PreparedLogs&,
                               const IdentifyOptions&, int folds = 5);

}  // namespace parid::identification
