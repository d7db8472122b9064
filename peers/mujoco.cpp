// MuJoCo: the part of mj_inverse for rigid bodies, on a model written as MJCF.
//
// Each body's frame is the joint's moving frame: the tip goes into the inertia and into the origins
// of the joints after it. The MJCF text has all numbers except the moments of inertia: MuJoCo's
// compiler refuses tensors that violate the triangle inequality, as measured ones often do (PUMA
// 560, link 3), although the equations allow them. They are written into the compiled model.
//
// A free joint's velocity in MuJoCo is linear in the world, angular in the body. With R the body in
// the world:  v_world = R v,  a_world = R (a + w × v),  tau = Rᵀ f_world; the angular parts are
// ours.

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cstring>

#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {
namespace {

constexpr const char* who = "MuJoCo";

std::string text(const Vec3<double>& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x, v.y, v.z);
}
std::string text(const Eigen::Quaterniond& q) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}
Eigen::Matrix3d eigen(const Mat3<double>& A) {
  Eigen::Matrix3d M;
  M << A.r0.x, A.r0.y, A.r0.z, A.r1.x, A.r1.y, A.r1.z, A.r2.x, A.r2.y, A.r2.z;
  return M;
}

struct Principal {
  Eigen::Vector3d moments;
  Eigen::Quaterniond axes;
};
Principal principal(const Sym3<double>& I) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(eigen(full(I)));
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  return {solver.eigenvalues(), Eigen::Quaterniond(axes)};
}

std::string joint_elements(const Joint& j, int i) {
  auto one = [&](int k, const char* type, const Vec3<double>& axis) {
    return fmt::format("<joint name='j{}.{}' type='{}' axis='{}' armature='{:.17g}'/>\n", i, k,
                       type, text(axis), j.rotor_inertia);
  };
  switch (j.type) {
    case JointType::revolute:
    case JointType::continuous: return one(0, "hinge", j.axis);
    case JointType::prismatic: return one(0, "slide", j.axis);
    case JointType::spherical: return one(0, "ball", j.axis);
    case JointType::planar: {
      const Mat3<double> axes = plane_axes(j.axis);
      return one(0, "slide", axes.column(0)) + one(1, "slide", axes.column(1)) +
             one(2, "hinge", axes.column(2));
    }
    default: break;
  }
  if (j.parent >= 0) cannot(who, "floating joint '" + j.name + "' is not at the root");
  return fmt::format("<freejoint name='j{}.0'/>\n", i);
}

std::string body_elements(const Tree& tree, int parent) {
  std::string out;
  for (int i = 0; i < static_cast<int>(tree.joints.size()); ++i) {
    const Joint& j = tree.joints[i];
    if (j.parent != parent) continue;
    const Pose<double> at = parent < 0 ? j.origin : tree.joints[parent].tip * j.origin;
    const Inertia body = moved(j.tip, j.inertia);
    out += fmt::format("<body name='b{}' pos='{}' quat='{}'>\n", i, text(at.p),
                       text(Eigen::Quaterniond(eigen(at.R))));
    out += joint_elements(j, i);
    out += fmt::format("<inertial mass='{:.17g}' pos='{}' quat='{}' diaginertia='1 1 1'/>\n",
                       body.mass, text(body.com), text(principal(body.about_com).axes));
    out += body_elements(tree, i) + "</body>\n";
  }
  return out;
}

std::string mjcf(const Tree& tree) {
  return fmt::format(
             "<mujoco>\n"
             "<compiler angle='radian' coordinate='local' inertiafromgeom='false' boundmass='0' "
             "boundinertia='0' balanceinertia='false'/>\n"
             "<option gravity='{}'><flag contact='disable' constraint='disable'/></option>\n"
             "<worldbody>\n",
             text(tree.gravity)) +
         body_elements(tree, -1) + "</worldbody>\n</mujoco>\n";
}

struct Delete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
  void operator()(mjVFS* v) const {
    mj_deleteVFS(v);
    delete v;
  }
};
using Model = std::unique_ptr<mjModel, Delete>;

std::string one_line(std::string message) {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return message;
}

Model compiled(const std::string& xml) {
  const std::unique_ptr<mjVFS, Delete> files(new mjVFS);
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(xml.size())) != 0)
    cannot(who, "its virtual file system does not accept a model of this size");
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "robot.xml")], xml.data(), xml.size());
  char error[1000] = "";
  Model model(mj_loadXML("robot.xml", files.get(), error, sizeof error));
  if (!model) cannot(who, one_line(error));
  return model;
}

Vec3<double> read(const double* x) { return {x[0], x[1], x[2]}; }
void write(double* to, const Vec3<double>& v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

class Mujoco : public Peer {
 public:
  explicit Mujoco(const Tree& tree)
      : nq_(tree.nq), nv_(tree.nv), model_(compiled(mjcf(tree))), data_(mj_makeData(model_.get())) {
    for (int i = 0; i < static_cast<int>(tree.joints.size()); ++i) {
      const Joint& j = tree.joints[i];
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, fmt::format("b{}", i).c_str());
      const Sym3<double> I = moved(j.tip, j.inertia).about_com;
      Eigen::Map<Eigen::Vector3d>(model_->body_inertia + 3 * body) = principal(I).moments;
      const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, fmt::format("j{}.0", i).c_str());
      joints_.push_back({j.type, j.q, j.v, model_->jnt_qposadr[joint], model_->jnt_dofadr[joint],
                         j.rotor_inertia, j.origin, quaternion(j.origin.R)});
    }
  }
  std::string name() const override { return who; }
  int nq() const override { return nq_; }
  int nv() const override { return nv_; }

  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) override {
    for (const Moving& j : joints_) put(j, q + j.q, v + j.v, a + j.v);
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 1, data_->qfrc_inverse);  // without armature
    for (const Moving& j : joints_) get(j, a + j.v, tau + j.v);
  }
  void forward_dynamics(const double* q, const double* v, const double* tau, double* a) override {
    const std::vector<double> zero(6);
    for (const Moving& j : joints_) {
      put(j, q + j.q, v + j.v, zero.data());
      put_force(j, tau + j.v);
    }
    factored();
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 0, data_->qfrc_bias);
    for (int k = 0; k < nv_; ++k)
      data_->qfrc_smooth[k] = data_->qfrc_applied[k] - data_->qfrc_bias[k];
    mj_solveM(model_.get(), data_.get(), data_->qacc, data_->qfrc_smooth, 1);
    for (const Moving& j : joints_) get_acceleration(j, v + j.v, a + j.v);
  }
  void mass_matrix(const double* q, double* M) override {
    const std::vector<double> zero(6);
    for (const Moving& j : joints_) put(j, q + j.q, zero.data(), zero.data());
    factored();
    Matrix theirs(nv_, nv_);
    mj_fullM(model_.get(), theirs.data(), data_->qM);
    const Matrix T = from_ours();
    Eigen::Map<Matrix>(M, nv_, nv_) = T.transpose() * theirs * T;
  }
  CentreKinematics centre_kinematics(const double* q, const double* v) override {
    const std::vector<double> zero(6);
    for (const Moving& j : joints_) put(j, q + j.q, v + j.v, zero.data());
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_subtreeVel(model_.get(), data_.get());
    Matrix J(3, nv_);
    mj_jacSubtreeCom(model_.get(), data_.get(), J.data(), 0);
    J = J * from_ours();
    const double mass = mj_getTotalmass(model_.get());
    return {read(data_->subtree_com),
            mass * read(data_->subtree_linvel),
            read(data_->subtree_angmom),
            {J.data(), J.data() + J.size()}};
  }

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  struct Quaternion {
    double x, y, z, w;
  };
  struct Moving {
    JointType type;
    int q, v, their_q, their_v;
    double rotor_inertia;
    Pose<double> origin;  // of a free joint in the world
    Quaternion turn;      // the same rotation
  };
  static Quaternion quaternion(const Mat3<double>& R) {
    const Eigen::Quaterniond q(eigen(R));
    return {q.x(), q.y(), q.z(), q.w()};
  }

  void put(const Moving& j, const double* q, const double* v, const double* a) {
    double* Q = data_->qpos + j.their_q;
    double* V = data_->qvel + j.their_v;
    double* A = data_->qacc + j.their_v;
    switch (j.type) {
      case JointType::floating: {
        const Mat3<double> R = j.origin.R * rotation_of(q[3], q[4], q[5], q[6]);
        write(Q, j.origin * read(q));
        const double ours[] = {q[6], q[3], q[4], q[5]};
        const double turn[] = {j.turn.w, j.turn.x, j.turn.y, j.turn.z};
        mju_mulQuat(Q + 3, turn, ours);
        write(V, R * read(v));
        write(V + 3, read(v + 3));
        write(A, R * (read(a) + cross(read(v + 3), read(v))));
        write(A + 3, read(a + 3));
        return;
      }
      case JointType::spherical:
        Q[0] = q[3];
        write(Q + 1, read(q));
        write(V, read(v));
        write(A, read(a));
        return;
      case JointType::planar:
        write(Q, read(q));
        write(V, read(v));
        write(A, read(a));
        return;
      default:
        *Q = *q;
        *V = *v;
        *A = *a;
    }
  }

  // Their velocity is this matrix times ours, at the position that was put.
  Matrix from_ours() const {
    Matrix T = Matrix::Zero(nv_, nv_);
    for (const Moving& j : joints_) {
      const int n = velocity_count(j.type);
      T.block(j.their_v, j.v, n, n).setIdentity();
      if (j.type == JointType::floating) T.block<3, 3>(j.their_v, j.v) = eigen(turn(j));
    }
    return T;
  }
  void factored() {
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_crb(model_.get(), data_.get());
    mj_factorM(model_.get(), data_.get());
  }
  Mat3<double> turn(const Moving& j) const {  // of a free body, in the world
    const double* Q = data_->qpos + j.their_q;
    return rotation_of(Q[4], Q[5], Q[6], Q[3]);
  }
  void put_force(const Moving& j, const double* tau) {
    double* f = data_->qfrc_applied + j.their_v;
    for (int k = 0; k < velocity_count(j.type); ++k) f[k] = tau[k];
    if (j.type == JointType::floating) write(f, turn(j) * read(tau));
  }
  void get_acceleration(const Moving& j, const double* v, double* a) const {
    const double* A = data_->qacc + j.their_v;
    for (int k = 0; k < velocity_count(j.type); ++k) a[k] = A[k];
    if (j.type == JointType::floating)
      write(a, transposed_times(turn(j), read(A)) - cross(read(v + 3), read(v)));
  }

  void get(const Moving& j, const double* a, double* tau) const {
    const double* f = data_->qfrc_inverse + j.their_v;
    switch (j.type) {
      case JointType::floating: {
        write(tau, transposed_times(turn(j), read(f)));
        write(tau + 3, read(f + 3));
        return;
      }
      case JointType::spherical:
      case JointType::planar: write(tau, read(f)); return;
      default: *tau = *f + j.rotor_inertia * *a;
    }
  }

  int nq_, nv_;
  Model model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<Moving> joints_;
};

}  // namespace

std::unique_ptr<Peer> mujoco(const Description& d) {
  return std::make_unique<Mujoco>(tree(d, who));
}

}  // namespace parid::peers
