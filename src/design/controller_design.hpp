// design_controller() and verify_design() of parid/design.hpp along any trajectory.

#pragma once

#include "design/layer.hpp"
#include "motion/trajectory.hpp"
#include "parid/design.hpp"

namespace parid::design {

// motion: null for none.
DesignResult designed(const Robot& plant, const Robot& model, const motion::Trajectory* motion,
                      const DesignOptions&);
DesignVerification verified(const Robot& plant, const Robot& model,
                            const motion::Trajectory* motion, const DesignCandidate&,
                            const DesignResult&, const DesignVerificationOptions& = {});

}  // namespace parid::design
