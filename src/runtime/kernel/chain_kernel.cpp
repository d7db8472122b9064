#include "runtime/kernel/chain_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "formulation/scope.hpp"
#include "runtime/kernel/chain_layout.hpp"
#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {

ChainLink chain_link(const CanonicalModel& c, int i) {
  ChainLink link;
  const auto placing = c.mechanism.placing[i];
  Mat3<double> E = placing.mat(0);
  link.slides = c.topology.kind[i] == JointKind::prismatic;
  link.offset = link.slides ? 0 : c.joint[i].offset;
  // E = Rx(α) Rz(θ): the rotation about z is added to the joint's
  if (!link.slides && E.r0.z == 0) {
    const double turn = std::atan2(-E.r0.y, E.r0.x);
    link.offset += turn;
    E = {{1, 0, 0}, {0, E.r2.z, E.r1.z}, {0, -E.r1.z, E.r2.z}};
  }
  Vec3<double> p = placing.vec(9), arm = transposed_times(E, p);
  if (link.slides) {
    p = p + c.joint[i].offset * E.column(2);
    arm = transposed_times(E, p);
  }
  if (std::abs(arm.y) <= 0x1p-50 * norm(p)) arm.y = 0;  // rounding
  const double rotation[] = {E.r0.x, E.r0.y, E.r0.z, E.r1.x, E.r1.y,
                             E.r1.z, E.r2.x, E.r2.y, E.r2.z};
  std::copy(rotation, rotation + 9, link.E);
  link.arm[0] = arm.x;
  link.arm[1] = arm.y;
  link.arm[2] = arm.z;
  for (int k = 0; k < 10; ++k) link.body[k] = c.mechanism.body[i][k];
  link.rotor_inertia = c.joint[i].rotor_inertia;
  return link;
}

bool chain_in_twists(const CanonicalModel& c) {
  for (int i = 1; i <= c.topology.n; ++i) {
    const ChainLink l = chain_link(c, i);
    if (l.slides || l.E[0] != 1 || l.E[1] != 0 || l.E[2] != 0 || l.arm[1] != 0) return false;
  }
  return true;
}

bool chain_kernel_covers(const CanonicalModel& c) {
  return !c.has_mimic && c.topology.free == 0 && c.topology.n > 0 &&
         (c.in_order || !is_chain(c.topology));
}

std::string ChainChoice::text() const {
  if (lanes == 1) return "one link after another";
  return std::to_string(lanes) + " lanes" +
         (threads > 1 ? " on " + std::to_string(threads) + " threads" : "");
}

ChainChoice chain_choice(const CanonicalModel& c, int threads) {
  constexpr int eight_pay_from = 16, four_pay_from = 32;  // links; two lanes never do
  const int lanes = best_kernels<ChainKernelSet>().lanes, n = c.topology.n;
  if (!chain_kernel_covers(c) || lanes < 4 || n < (lanes < 8 ? four_pay_from : eight_pay_from))
    return {};
  if (!is_chain(c.topology)) {
    // Costs in links of the serial sweep: a step of all lanes costs three, joining a stretch five.
    // Short branches do not pay off, and the estimate is too rough to trust a small gain.
    const ChainLayout layout(c, lanes);
    return 3 * layout.steps() + 5 * layout.stretches() + 10 < 0.8 * n ? ChainChoice{lanes, 1}
                                                                      : ChainChoice();
  }
  return {lanes, std::clamp(threads, 1, std::min(64, ChainLayout(c, lanes).threads()))};
}

std::unique_ptr<Kernel<double>> single_kernel(const CanonicalModel& c, int threads) {
  const ChainChoice choice = chain_choice(c, threads);
  if (choice.lanes > 1) return best_kernels<ChainKernelSet>().make(c, choice.threads);
  return best_kernels<KernelSet>().single(c);
}

}  // namespace parid::runtime
