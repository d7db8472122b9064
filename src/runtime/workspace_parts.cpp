#include "runtime/workspace_parts.hpp"

namespace parid::runtime {

void WorkspaceParts::external_loads_changed() {
  in_double->set_base_motion(external_loads.base), in_float->set_base_motion(external_loads.base);
  in_double->set_external(external_loads.external), in_float->set_external(external_loads.external);
  choose_specialized();
  if (forward) {
    forward->set_base_motion(external_loads.base);
    forward->set_external(external_loads.external);
  }
}
void WorkspaceParts::surround(State<double>& motion, const Mechanism<double>& mechanism) const {
  motion.set_base(mechanism, external_loads.base);
  motion.external = external_loads.external.empty() ? nullptr : external_loads.external.data();
}

}  // namespace parid::runtime
