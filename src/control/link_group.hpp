// The links of one thread, and the values that it exchanges with the threads of its neighbours.
//
// Private: included only by threads.cpp.

#pragma once

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <thread>
#include <vector>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "control/snapshot.hpp"
#include "control/stale.hpp"
#include "model/user_state.hpp"

namespace parid::control {

// Values that cross joint i: outwards the parent's ω, ω̇, α and the joint's acceleration; inwards f
// and n.
struct Crossing {
  Snapshot<12> outwards;
  Snapshot<6> inwards;
};

// Data that all threads share. Measurements are published joint by joint, so that they fit one size
// of snapshot; a thread reads them once the last joint has the period's stamp.
struct LinkExchange {
  explicit LinkExchange(int n)
      : crossing(static_cast<std::size_t>(n) + 1), measured(n), torque(n) {}
  std::vector<Crossing> crossing;     // by link; used if its parent belongs to another thread
  std::vector<Snapshot<2>> measured;  // by coordinate: q, v
  std::vector<Snapshot<1>> torque;    // by coordinate
  std::atomic<bool> over{false};

  void publish(long stamp, const std::vector<double>& q, const std::vector<double>& v) {
    for (std::size_t k = 0; k < q.size(); ++k) measured[k].publish(stamp, {q[k], v[k]});
  }
};

inline void rest(int turn) {
  if (turn % 256 == 255) std::this_thread::yield();
}

// Waits until `ready` returns true or the run ends; returns false if the run ended.
template <class Ready>
bool waited(const LinkExchange& x, const Ready& ready) {
  for (int turn = 0; !ready(); ++turn) {
    if (x.over.load(std::memory_order_relaxed)) return false;
    rest(turn);
  }
  return true;
}

inline std::array<double, 3> numbers(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
template <std::size_t N>
Vec3<double> vector(const std::array<double, N>& x, std::size_t at) {
  return {x[at], x[at + 1], x[at + 2]};
}

// The links of one thread.
class LinkGroup {
 public:
  LinkGroup(const LawDesign& d, int first, int last, const std::vector<int>& group, int mine,
            bool strict, LinkExchange& x)
      : c_(d.model.canonical()),
        kind_(law_kind(d.law)),
        gains_(d.gains),
        mechanism_(c_.mechanism),
        motion_(mechanism_),
        recursion_(mechanism_),
        first_(first),
        last_(last),
        strict_(strict),
        newest_(d.policy.by_chance),
        x_(x),
        joint_(static_cast<std::size_t>(c_.topology.n) + 1),
        past_(static_cast<std::size_t>(d.policy.delay) + 2,
              std::vector<double>(static_cast<std::size_t>(c_.nv))) {
    Policy here = d.policy;
    here.by_chance = false;  // on threads, ages depend on timing
    recursion_.set_policy(here);
    for (int i = 1; i <= c_.topology.n; ++i) {
      const int parent = c_.topology.parent[static_cast<std::size_t>(i)];
      const bool own = group[static_cast<std::size_t>(i)] == mine;
      const bool parent_own = parent == 0 ? own : group[static_cast<std::size_t>(parent)] == mine;
      if (own && !parent_own) from_parent_.push_back(i);
      if (!own && parent_own) to_child_.push_back(i);
    }
  }

  // The state in which all threads start: a robot that has been at rest in this state.
  void start(const Desired& now, const Desired& next, const std::vector<double>& q,
             const std::vector<double>& v) {
    load(now, next, q, v);
    const Policy asked = recursion_.policy();
    recursion_.set_policy(Policy());
    recursion_.period = 0;
    recursion_.torque(mechanism_, motion_, joint_.data());
    recursion_.settle();
    recursion_.set_policy(asked);
    store();
    for (auto& x : past_) x = tau_;
    publish_outwards(0);
    publish_inwards(0);
    recursion_.period = 0;
    for (int i = first_; i <= last_; ++i) publish_torque(0, i);
  }

  // Period k, from 1. Returns false if the run ended while the thread waited.
  bool step(long k, const Desired& now, const Desired& next, const std::vector<double>& q,
            const std::vector<double>& v) {
    load(now, next, q, v);
    recursion_.period = k - 1;
    recursion_.begin(mechanism_, motion_);
    if (!take_outwards(k)) return false;
    for (int i = first_; i <= last_; ++i) recursion_.forward(mechanism_, motion_, i);
    publish_outwards(k);
    if (!take_inwards(k)) return false;
    for (int i = last_; i >= first_; --i)
      joint_[static_cast<std::size_t>(i)] = recursion_.backward(mechanism_, motion_, i);
    publish_inwards(k);
    store();
    std::rotate(past_.begin(), past_.begin() + 1, past_.end());
    past_.back() = tau_;
    for (int i = first_; i <= last_; ++i) publish_torque(k, i);
    return true;
  }

  long older_reads = 0;

 private:
  void load(const Desired& now, const Desired& next, const std::vector<double>& q,
            const std::vector<double>& v) {
    const bool ahead = recursion_.policy().ahead;
    const Desired& aim = ahead ? next : now;
    const auto n = static_cast<std::size_t>(c_.nv);
    q_.resize(n);
    v_.resize(n);
    a_.resize(n);
    correction_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      const double e = now.q[k] - q[k], ed = now.v[k] - v[k];
      correction_[k] = gains_.kp[k] * e + gains_.kd[k] * ed;
      q_[k] = ahead ? aim.q[k] - e : q[k];
      v_[k] = ahead ? aim.v[k] - ed : v[k];
      a_[k] = aim.a[k] + correction_[k];
      if (kind_ == LawKind::pd_gravity || kind_ == LawKind::pd) v_[k] = a_[k] = 0;
      if (kind_ == LawKind::pd_feedforward) {
        q_[k] = aim.q[k];
        v_[k] = aim.v[k];
        a_[k] = aim.a[k];
      }
    }
    auto of = [](const std::vector<double>& x) {
      return [&x](int k) { return x[static_cast<std::size_t>(k)]; };
    };
    load_state(c_, motion_, of(q_), of(v_), of(a_));
    motion_.place(mechanism_);
  }
  void store() {
    tau_.resize(static_cast<std::size_t>(c_.nv));
    auto none = [](int) { return Wrench<double>{}; };
    auto of = [](const std::vector<double>& x) {
      return [&x](int k) { return x[static_cast<std::size_t>(k)]; };
    };
    store_torque(c_, motion_, joint_.data(), none, of(a_), of(tau_),
                 [&](int k, double x) { tau_[static_cast<std::size_t>(k)] = x; });
    for (std::size_t k = 0; k < tau_.size(); ++k) {
      if (kind_ == LawKind::pd) tau_[k] = 0;
      if (kind_ != LawKind::computed_torque) tau_[k] += correction_[k];
    }
  }
  void publish_torque(long k, int i) {
    const auto l = static_cast<std::size_t>(c_.joint[static_cast<std::size_t>(i)].velocity);
    const std::size_t at = past_.size() - 1 - static_cast<std::size_t>(recursion_.policy().delay);
    double tau = past_[at][l];
    if (recursion_.policy().predict_torque) tau += tau - past_[at - 1][l];
    x_.torque[l].publish(k, {tau});
  }

  // Reads the stamp that the given age requires, or the newest available one. Ages within the
  // recursion's own past are those at the time of reading.
  template <int N>
  bool take(const Snapshot<N>& from, long k, int age, typename Snapshot<N>::Numbers& x) {
    const long due = std::max(0L, k - age);  // before the start all was as at the start
    const long wanted = newest_ ? std::max(due, std::min(from.latest(), k)) : due;
    if (age == 0 || strict_)
      if (!waited(x_, [&] { return from.latest() >= wanted; })) return false;
    if (from.read(wanted, x)) return true;
    ++older_reads;
    while (!from.read(from.latest(), x)) {
    }
    return true;
  }
  // Of link `reader`'s readings across its joints in one sweep.
  int youngest(int reader, std::initializer_list<Term> terms) const {
    int age = oldest_age;
    for (const Term t : terms) age = std::min(age, recursion_.policy().age(t, reader).periods);
    return age;
  }
  // Variables of different ages arrive in one snapshot, so the youngest age decides which one is
  // read; values of earlier periods were stored when they arrived.
  bool take_outwards(long k) {
    for (const int i : from_parent_) {
      const int age = youngest(
          i, {Term::w_w, Term::wd_wd, Term::wd_w, Term::alpha_alpha, Term::e_e, Term::ac_e});
      std::array<double, 12> x;
      if (!take(x_.crossing[static_cast<std::size_t>(i)].outwards, k, age, x)) return false;
      StaleLink<double>& parent =
          recursion_.old(c_.topology.parent[static_cast<std::size_t>(i)], age);
      parent.w = vector(x, 0);
      parent.wd = vector(x, 3);
      parent.alpha = vector(x, 6);
      recursion_.old(i, age).e = vector(x, 9);
    }
    return true;
  }
  bool take_inwards(long k) {
    for (const int i : to_child_) {
      const int parent = c_.topology.parent[static_cast<std::size_t>(i)];
      const int age = youngest(parent, {Term::f_f, Term::n_n, Term::n_f});
      std::array<double, 6> x;
      if (!take(x_.crossing[static_cast<std::size_t>(i)].inwards, k, age, x)) return false;
      StaleLink<double>& child = recursion_.old(i, age);
      child.f = vector(x, 0);
      child.n = vector(x, 3);
    }
    return true;
  }
  void publish_outwards(long k) {
    for (const int i : to_child_) {
      const StaleLink<double>& parent =
          recursion_.now(c_.topology.parent[static_cast<std::size_t>(i)]);
      const auto w = numbers(parent.w), wd = numbers(parent.wd), alpha = numbers(parent.alpha),
                 e = numbers(recursion_.now(i).e);
      x_.crossing[static_cast<std::size_t>(i)].outwards.publish(
          k,
          {w[0], w[1], w[2], wd[0], wd[1], wd[2], alpha[0], alpha[1], alpha[2], e[0], e[1], e[2]});
    }
  }
  void publish_inwards(long k) {
    for (const int i : from_parent_) {
      const auto f = numbers(recursion_.now(i).f), n = numbers(recursion_.now(i).n);
      x_.crossing[static_cast<std::size_t>(i)].inwards.publish(
          k, {f[0], f[1], f[2], n[0], n[1], n[2]});
    }
  }

  const CanonicalModel& c_;
  LawKind kind_;
  Gains gains_;
  Mechanism<double> mechanism_;
  State<double> motion_;
  StaleNewtonEuler<double> recursion_;
  int first_, last_;
  bool strict_, newest_;
  LinkExchange& x_;
  std::vector<int> from_parent_, to_child_;
  std::vector<double> joint_, q_, v_, a_, correction_, tau_;
  std::vector<std::vector<double>> past_;
};

}  // namespace parid::control
