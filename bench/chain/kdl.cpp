// Only KDL's recursive Newton-Euler: each of its other solvers needs an n × n matrix.

#include <kdl/chain.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

#include "bench/chain/contestant.hpp"
#include "bench/layer.hpp"

namespace parid::bench {
namespace {

KDL::Vector vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

struct Kdl {
  KDL::Chain chain;
  std::unique_ptr<KDL::ChainIdSolver_RNE> solver;
  KDL::JntArray q, v, a, tau;
  KDL::Wrenches none;

  explicit Kdl(const Description& d) {
    for (std::size_t i = 0; i < d.joints.size(); ++i) {  // chain:N: revolute, link after link
      const JointDescription& j = d.joints[i];
      const auto& [r0, r1, r2] = j.origin.R;
      const Inertia body = *d.links[i + 1].inertia;
      const Sym3<double>& I = body.about_com;
      chain.addSegment(KDL::Segment(
          KDL::Joint(vector(j.origin.p), vector(j.origin.R * j.axis), KDL::Joint::RotAxis),
          KDL::Frame(KDL::Rotation(r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z),
                     vector(j.origin.p)),
          KDL::RigidBodyInertia(body.mass, vector(body.com),
                                KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz))));
    }
    solver = std::make_unique<KDL::ChainIdSolver_RNE>(chain, vector(d.gravity));
    const auto n = static_cast<unsigned>(d.joints.size());
    q.resize(n);
    v.resize(n);
    a.resize(n);
    tau.resize(n);
    none.assign(chain.getNrOfSegments(), KDL::Wrench::Zero());
  }
};

}  // namespace

void add_kdl(ChainContestants& all, const Description& d) {
  auto kdl = std::make_shared<Kdl>(d);
  const auto n = static_cast<Eigen::Index>(d.joints.size());
  all.push_back({"KDL", 1, [=](const double* q, const double* v, const double* a, double* tau) {
                   kdl->q.data = Eigen::Map<const Eigen::VectorXd>(q, n);
                   kdl->v.data = Eigen::Map<const Eigen::VectorXd>(v, n);
                   kdl->a.data = Eigen::Map<const Eigen::VectorXd>(a, n);
                   kdl->solver->CartToJnt(kdl->q, kdl->v, kdl->a, kdl->none, kdl->tau);
                   Eigen::Map<Eigen::VectorXd>(tau, n) = kdl->tau.data;
                 }});
}

}  // namespace parid::bench
