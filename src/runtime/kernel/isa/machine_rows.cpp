#include "runtime/kernel/isa/machine_rows_of.hpp"

#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/machine_rows.hpp"

namespace parid::runtime {

template <>
MachineSet kernels_for<MachineSet, PARID_KERNEL_ISA>() {
  return machine_set<PARID_KERNEL_ISA>();
}

}  // namespace parid::runtime
