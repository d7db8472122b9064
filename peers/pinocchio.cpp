// Pinocchio's own algorithms.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>

#include "peers/pinocchio_model.hpp"

namespace parid::peers {
namespace {

constexpr const char* who = "Pinocchio";

class Pinocchio final : public Peer {
 public:
  explicit Pinocchio(PinocchioModel made)
      : model_(std::move(made.model)), data_(model_), rotor_(std::move(made.rotor)) {}
  std::string name() const override { return who; }
  int nq() const override { return model_.nq; }
  int nv() const override { return model_.nv; }
  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) override {
    const Const x(a, nv());
    Mutable(tau, nv()) =
        pin::rnea(model_, data_, Const(q, nq()), Const(v, nv()), x) + rotor_.cwiseProduct(x);
  }
  void forward_dynamics(const double* q, const double* v, const double* tau, double* a) override {
    if (rotor_.any()) cannot(who, "its rotors are not compared in forward dynamics");
    Mutable(a, nv()) = pin::aba(model_, data_, Const(q, nq()), Const(v, nv()), Const(tau, nv()));
  }
  void mass_matrix(const double* q, double* M) override {
    pin::crba(model_, data_, Const(q, nq()));
    const int n = nv();
    for (int r = 0; r < n; ++r)
      for (int c = r; c < n; ++c)
        M[r * n + c] = M[c * n + r] = data_.M(r, c) + (r == c ? rotor_[r] : 0);
  }

 private:
  using Const = Eigen::Map<const Eigen::VectorXd>;
  using Mutable = Eigen::Map<Eigen::VectorXd>;
  pin::Model model_;
  pin::Data data_;
  Eigen::VectorXd rotor_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio(const Description& d) {
  return std::make_unique<Pinocchio>(pinocchio_model(tree(d, who), who));
}

}  // namespace parid::peers
