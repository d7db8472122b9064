#include "bench/ik/lma.hpp"
#include "bench/layer.hpp"

#include <kdl/chain.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <stdexcept>

namespace parid::bench {
namespace {

KDL::Vector vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
KDL::Frame frame(const Pose<double>& A) {
  const auto& [r0, r1, r2] = A.R;
  return {KDL::Rotation(r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z), vector(A.p)};
}

KDL::Chain chain_of(const Description& d) {
  KDL::Chain chain;
  std::string last = d.links.front().name;
  for (const JointDescription& j : d.joints) {
    const bool turns = j.type == JointType::revolute || j.type == JointType::continuous;
    if (j.parent != last || j.mimic || (!turns && j.type != JointType::prismatic))
      throw std::runtime_error("no chain of joints of one freedom");
    last = j.child;
    chain.addSegment(KDL::Segment(KDL::Joint(vector(j.origin.p), vector(j.origin.R * j.axis),
                                             turns ? KDL::Joint::RotAxis : KDL::Joint::TransAxis),
                                  frame(j.origin * j.tip)));
  }
  return chain;
}

}  // namespace

struct Lma::Parts {
  KDL::Chain chain;
  KDL::ChainIkSolverPos_LMA solver;  // refers to the chain
  KDL::JntArray seed, q;

  // 500 iterations and 1e-15 in the joints are KDL's defaults.
  Parts(const Description& d, double tolerance)
      : chain(chain_of(d)),
        solver(chain, tolerance, 500, 1e-15),
        seed(chain.getNrOfJoints()),
        q(chain.getNrOfJoints()) {}
};

Lma::Lma(const Description& d, double tolerance) : parts_(std::make_unique<Parts>(d, tolerance)) {}
Lma::~Lma() = default;

bool Lma::solve(const double* r, const double* seed, double* q) {
  Parts& p = *parts_;
  const unsigned n = p.seed.rows();
  for (unsigned k = 0; k < n; ++k) p.seed(k) = seed[k];
  const KDL::Frame pose(KDL::Rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]),
                        KDL::Vector(r[9], r[10], r[11]));
  const bool found = p.solver.CartToJnt(p.seed, pose, p.q) >= 0;
  for (unsigned k = 0; k < n; ++k) q[k] = p.q(k);
  return found;
}

}  // namespace parid::bench
