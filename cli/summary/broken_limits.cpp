#include "cli/summary/broken_limits.hpp"

#include "cli/input/torque_evaluation.hpp"
#include "cli/output/notes.hpp"

namespace parid::cli {

void note(const std::vector<LimitBreak>& broken, const SampledTrajectory& m,
          const MotionOptions& o) {
  for (const LimitBreak& b : broken)
    note("{}: note: {} of '{}' reaches {:.6g}; its limit is {:.6g}{}", place(m, b.row), b.kind,
         b.coordinate, b.value, b.limit,
         o.pace && b.kind == "position" ? ", and no pace mends that: choose another path" : "");
}

}  // namespace parid::cli
