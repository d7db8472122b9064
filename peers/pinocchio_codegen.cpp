// Pinocchio through CppADCodeGen: C that it generates for one robot, compiled by gcc -Ofast when a
// function is first called, and called once per sample.

#include <pinocchio/codegen/code-generator-algo.hpp>
//
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "peers/pinocchio_model.hpp"

namespace parid::peers {
namespace {

constexpr const char* who = "Pinocchio, generated";

// One generated function of its input vector.
template <class Algorithm>
class Generated : public Algorithm {
 public:
  Generated(const pin::Model& model, const std::string& name, const std::string& path)
      : Algorithm(model, name, path) {
    this->build_jacobian = false;
    this->initLib();
    this->compileLib("/usr/bin/gcc", "-Ofast");
    this->loadLib(false);
  }
  const Eigen::VectorXd& operator()(const Eigen::VectorXd& x) {
    pin::CodeGenBase<double>::evalFunction(x);
    return this->y;
  }
};

// For the libraries, removed at the end.
class Folder {
 public:
  Folder() {
    std::string made = (std::filesystem::temp_directory_path() / "parid-peer-XXXXXX").string();
    if (!mkdtemp(made.data())) cannot(who, "there is no directory for temporary files");
    path_ = made;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  std::string path(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class PinocchioCodegen final : public Peer {
 public:
  explicit PinocchioCodegen(PinocchioModel made)
      : model_(std::move(made.model)), rotor_(std::move(made.rotor)) {
    model_.name = "robot";  // part of the files' names
    x_ = Eigen::VectorXd::Zero(model_.nq + 2 * model_.nv);
    q_ = Eigen::VectorXd::Zero(model_.nq);
  }
  std::string name() const override { return who; }
  int nq() const override { return model_.nq; }
  int nv() const override { return model_.nv; }
  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) override {
    if (!rnea_) rnea_.emplace(model_, "rnea", folder_.path("rnea"));
    load(q, v, a);
    Mutable(tau, nv()) = (*rnea_)(x_) + rotor_.cwiseProduct(Const(a, nv()));
  }
  void forward_dynamics(const double* q, const double* v, const double* tau, double* a) override {
    if (rotor_.any()) cannot(who, "its rotors are not compared in forward dynamics");
    if (!aba_) aba_.emplace(model_, "aba", folder_.path("aba"));
    load(q, v, tau);
    Mutable(a, nv()) = (*aba_)(x_);
  }
  void mass_matrix(const double* q, double* M) override {
    if (!crba_) crba_.emplace(model_, "crba", folder_.path("crba"));
    q_ = Const(q, nq());
    const Eigen::VectorXd& upper = (*crba_)(q_);  // row by row
    const int n = nv();
    int at = 0;
    for (int r = 0; r < n; ++r)
      for (int c = r; c < n; ++c)
        M[r * n + c] = M[c * n + r] = upper[at++] + (r == c ? rotor_[r] : 0);
  }

 private:
  using Const = Eigen::Map<const Eigen::VectorXd>;
  using Mutable = Eigen::Map<Eigen::VectorXd>;
  void load(const double* q, const double* v, const double* x) {
    x_.head(nq()) = Const(q, nq());
    x_.segment(nq(), nv()) = Const(v, nv());
    x_.tail(nv()) = Const(x, nv());
  }
  pin::Model model_;
  Eigen::VectorXd rotor_, x_, q_;
  Folder folder_;
  std::optional<Generated<pin::CodeGenRNEA<double>>> rnea_;
  std::optional<Generated<pin::CodeGenABA<double>>> aba_;
  std::optional<Generated<pin::CodeGenCRBA<double>>> crba_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio_codegen(const Description& d) {
  return std::make_unique<PinocchioCodegen>(pinocchio_model(tree(d, who), who));
}

}  // namespace parid::peers
