// Mass matrix and bias of an MJCF file, by Parid and by MuJoCo, in Parid's coordinates.

#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "formulation/newton_euler_link.hpp"
#include "model/canonical_model.hpp"
#include "model/joint/mimic.hpp"
#include "model/user_state.hpp"
#include "peers/mujoco_model.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

using Numbers = std::vector<double>;

// By the reference formulation.
class OurDynamics {
 public:
  explicit OurDynamics(const Description& d)
      : c_(d), sweep_(c_.mechanism), state_(c_.mechanism), tau_(c_.topology.n + 1) {}
  int nv() const { return c_.nv; }
  Numbers torque(const Numbers& q, const Numbers& v, const Numbers& a) {
    load_state(
        c_, state_, [&](int k) { return q[k]; }, [&](int k) { return v[k]; },
        [&](int k) { return a[k]; });
    state_.place(c_.mechanism);
    sweep_.torque(c_.mechanism, state_, tau_.data());
    Numbers out(c_.nv);
    store_torque<double>(
        c_, state_, tau_.data(), [&](int i) { return std::pair(sweep_.f(i), sweep_.n(i)); },
        [&](int k) { return a[k]; }, [&](int k) { return out[k]; },
        [&](int k, double x) { out[k] = x; });
    return out;
  }

 private:
  CanonicalModel c_;
  formulation::NewtonEulerLink<double> sweep_;
  State<double> state_;
  std::vector<double> tau_;
};

// A state of Parid in MuJoCo's coordinates. MuJoCo's velocity is T times ours; `acceleration` is
// MuJoCo's for zero acceleration in Parid, because a free joint's velocity rotates with its body.
struct MujocoState {
  Numbers qpos, qvel, acceleration;
  std::vector<Numbers> T;
};

inline MujocoState mujoco_state(const Description& d, const peers::MujocoModel& model,
                                const Numbers& q, const Numbers& v) {
  MujocoState s{Numbers(model.nq()), Numbers(model.nv()), Numbers(model.nv()),
                std::vector<Numbers>(model.nv(), Numbers(v.size()))};
  const std::vector<MimicChain> follow = mimic_chains(d);
  std::vector<int> at_q, at_v;
  int nq = 0, nv = 0, next = 0;
  for (const JointDescription& j : d.joints) {
    at_q.push_back(nq);
    at_v.push_back(nv);
    nq += position_count(j);
    nv += velocity_count(j);
  }
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const JointDescription& j = d.joints[k];
    if (j.type == JointType::fixed) continue;
    const auto& theirs = model.joints().at(next++);
    EXPECT_TRUE(theirs.name.empty() || theirs.name == j.name) << theirs.name << " " << j.name;
    double* Q = s.qpos.data() + theirs.qpos;
    const double* own = q.data() + at_q[k];
    const int dof = theirs.dof, c = at_v[k];
    if (j.type == JointType::floating || j.type == JointType::spherical) {
      const int p = j.type == JointType::floating ? 3 : 0;
      for (int i = 0; i < p; ++i) Q[i] = own[i];
      const double turn[] = {own[p + 3], own[p], own[p + 1], own[p + 2]};
      std::copy(turn, turn + 4, Q + p);
      for (int i = 0; i < 3; ++i) s.T[dof + p + i][c + p + i] = 1;
      if (p == 3) {
        const Mat3<double> R = rotation_of(own[3], own[4], own[5], own[6]);
        const Vec3<double> rows[] = {R.r0, R.r1, R.r2};
        const Vec3<double> linear{v[c], v[c + 1], v[c + 2]}, w{v[c + 3], v[c + 4], v[c + 5]};
        for (int i = 0; i < 3; ++i) {
          s.T[dof + i][c] = rows[i].x;
          s.T[dof + i][c + 1] = rows[i].y;
          s.T[dof + i][c + 2] = rows[i].z;
          s.acceleration[dof + i] = dot(rows[i], cross(w, linear));
        }
      }
    } else {
      const int leader = follow[k].leader;
      const CouplingValue<double> x = follow[k].at(q[at_q[leader]]);
      const double rate = v[at_v[leader]];
      *Q = x.value;
      s.T[dof][at_v[leader]] = x.d1;
      s.acceleration[dof] = x.d2 * rate * rate;
    }
  }
  for (int r = 0; r < model.nv(); ++r)
    for (std::size_t k = 0; k < v.size(); ++k) s.qvel[r] += s.T[r][k] * v[k];
  return s;
}

// The largest difference, relative to the largest entry.
inline double relative_difference(const Numbers& a, const Numbers& b) {
  double size = 1e-300, most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    size = std::max(size, std::abs(b[k]));
    most = std::max(most, std::abs(a[k] - b[k]));
  }
  return most / size;
}

// Of mass matrix, bias and gravity, on a few random states.
inline double difference_to_mujoco(const Description& d, peers::MujocoModel& model) {
  OurDynamics ours(d);
  Rng rng(11);
  double most = 0;
  const std::size_t n = static_cast<std::size_t>(ours.nv()), m = model.nv();
  for (int sample = 0; sample < 4; ++sample) {
    const RandomState s = random_state(rng, d);
    const Numbers zero(n);
    const MujocoState at = mujoco_state(d, model, s.q, s.v),
                      rest = mujoco_state(d, model, s.q, zero);
    const Numbers M = model.mass_matrix(at.qpos);
    const auto back = [&](const Numbers& x) {
      Numbers y(n);
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t k = 0; k < n; ++k) y[k] += at.T[r][k] * x[r];
      return y;
    };
    Numbers bias = model.bias(at.qpos, at.qvel);
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t k = 0; k < m; ++k) bias[r] += M[r * m + k] * at.acceleration[k];
    const Numbers gravity = ours.torque(s.q, zero, zero);
    most = std::max({most, relative_difference(ours.torque(s.q, s.v, zero), back(bias)),
                     relative_difference(gravity, back(model.bias(rest.qpos, rest.qvel)))});
    Numbers mass, theirs;
    for (std::size_t k = 0; k < n; ++k) {
      Numbers unit(n), column(m);
      unit[k] = 1;
      const Numbers tau = ours.torque(s.q, zero, unit);
      for (std::size_t r = 0; r < n; ++r) mass.push_back(tau[r] - gravity[r]);
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t l = 0; l < m; ++l) column[r] += M[r * m + l] * at.T[l][k];
      const Numbers own = back(column);
      theirs.insert(theirs.end(), own.begin(), own.end());
    }
    most = std::max(most, relative_difference(mass, theirs));
  }
  return most;
}

}  // namespace parid::test
