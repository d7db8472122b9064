#include "schedule/tasks/control_graph.hpp"

#include <fmt/format.h>

#include <cmath>

#include "codegen/trace/generate.hpp"
#include "codegen/trace/tracing.hpp"
#include "dynamics/model_state.hpp"
#include "graph/evaluate.hpp"
#include "kinematics/closed_form.hpp"
#include "kinematics/rates.hpp"
#include "model/joint/manifold.hpp"
#include "schedule/tasks/recorder.hpp"

namespace parid::schedule {
namespace {

constexpr ControlStepInfo control_infos[] = {
    {ControlStep::orin, "orin",
     "control by resolved acceleration in ten tasks, one of them the inverse dynamics"},
    {ControlStep::hierarchy, "hierarchy",
     "inverse kinematics, trajectory, inverse dynamics and control"},
};

using Leans = std::vector<Lean>;

Vec3<Lean> vec(const Leans& x, std::size_t from = 0) { return {x[from], x[from + 1], x[from + 2]}; }

// How far along a quintic is at s, and its first two derivatives by s.
struct Quintic {
  Lean at, rate, second;
};
Quintic quintic(const Lean& s) {
  const Lean s2 = s * s, s3 = s2 * s, rest = Lean(1.0) - s;
  return {s3 * (Lean(10.0) + s * (Lean(6.0) * s - Lean(15.0))), Lean(30.0) * s2 * (rest * rest),
          Lean(60.0) * s * (rest * (Lean(1.0) - (s + s)))};
}

class StepTasks {
 public:
  StepTasks(const Robot& robot, bool friction)
      : robot_(robot), c_(robot.canonical()), g_(out_.graph), record_(out_), friction_(friction) {}

  TaskedGraph run(ControlStep which, const OperationWeights& weights) {
    which == ControlStep::orin ? resolved_acceleration() : hierarchy();
    return timed(without_unused(std::move(out_)), weights);
  }

 private:
  template <class Work>
  void task(const std::string& name, int joint, Work work) {
    const int t = out_.tasks.add({name, 1, joint});
    out_.operations.emplace_back();
    record_.task(t, work);
  }
  Leans take(const char* name, int count) {
    Leans x;
    for (const Expr& e : inputs(g_, name, count)) x.push_back(Lean(e));
    return x;
  }
  // Writes down signs that are left over.
  static Leans settled(Leans x) {
    for (Lean& y : x) y = Lean(y.expr());
    return x;
  }
  void give(const char* name, const Leans& x) {
    Exprs all;
    for (const Lean& y : x) all.push_back(y.expr());
    outputs(g_, name, all);
  }

  // What a program of the robot computes from these.
  Leans called(const char* what, const Leans& x, const GenerateOptions& options = {}) {
    return evaluate<Lean>(generate(robot_, quantity(what), options).program.graph, x);
  }
  Leans torques(const Leans& q, const Leans& v, const Leans& a) {
    Leans all = q;
    all.insert(all.end(), v.begin(), v.end());
    all.insert(all.end(), a.begin(), a.end());
    return called("inverse", all, {.friction = friction_});
  }

  void resolved_acceleration() {
    const int n = c_.nv;
    const Leans q = take("q", c_.nq), q_last = take("q_last", c_.nq), rate = take("rate", 1);
    const Leans start = take("p_start", 3), goal = take("p_goal", 3), s = take("s", 1),
                s_rate = take("s_rate", 1), R_wanted = take("R_wanted", 9);
    const Lean kp = take("kp", 1)[0], kd = take("kd", 1)[0], damping = take("damping", 1)[0];
    Leans v(n), pose, J, a_joint;
    Vec3<Lean> p_d, v_d, a_d, e, turned;
    task("rates", -1, [&] {
      Leans moved(n);
      difference(robot_.description(), q_last.data(), q.data(), moved.data());
      for (int k = 0; k < n; ++k) v[k] = rate[0] * moved[k];
    });
    task("path", -1, [&] {
      const Quintic along = quintic(s[0]);
      const Vec3<Lean> way = vec(goal) - vec(start);
      p_d = vec(start) + along.at * way;
      v_d = (along.rate * s_rate[0]) * way;
      a_d = (along.second * (s_rate[0] * s_rate[0])) * way;
    });
    task("kinematics", -1, [&] { pose = called("kinematics", q); });
    task("jacobian", -1, [&] { J = called("jacobian", q); });
    Leans velocity(6), bias, wanted(6);
    task("tip_velocity", -1, [&] {
      for (int r = 0; r < 6; ++r)
        for (int k = 0; k < n; ++k) velocity[r] = velocity[r] + J[r * n + k] * v[k];
    });
    task("error", -1, [&] {
      e = p_d - vec(pose, 9);
      for (std::size_t k = 0; k < 3; ++k)
        turned = turned + cross(Vec3<Lean>{pose[k], pose[3 + k], pose[6 + k]},
                                Vec3<Lean>{R_wanted[k], R_wanted[3 + k], R_wanted[6 + k]});
      turned = Lean(0.5) * turned;
    });
    task("bias", -1, [&] {
      Leans x = q;
      x.insert(x.end(), v.begin(), v.end());
      bias = evaluate<Lean>(tip_bias(), x);
    });
    task("servo", -1, [&] {
      const Lean error[] = {e.x, e.y, e.z, turned.x, turned.y, turned.z},
                 v_wanted[] = {v_d.x, v_d.y, v_d.z}, a_wanted[] = {a_d.x, a_d.y, a_d.z};
      for (int k = 0; k < 6; ++k) {
        const Lean back =
            k < 3 ? a_wanted[k] + kd * (v_wanted[k] - velocity[k]) : -(kd * velocity[k]);
        wanted[k] = back + kp * error[k] - bias[k];
      }
    });
    task("inverse_jacobian", -1, [&] { a_joint = damped(J, wanted, damping); });
    Leans tau;
    task("inverse_dynamics", -1, [&] { tau = settled(torques(q, v, a_joint)); });
    give("tau", tau);
  }

  // The tip's acceleration, linear and angular, at no joint acceleration, from q and v.
  Graph tip_bias() const {
    Graph g;
    const Exprs q = inputs(g, "q", c_.nq), v = inputs(g, "v", c_.nv);
    ModelState<Expr> at(c_);
    at.load(q.data(), v.data());
    Frames<Expr> frames(c_);
    frames.place(at.mechanism, at.motion);
    Rates<Expr> rates(c_);
    rates.sweep(at.mechanism, at.motion, frames);
    const int link = robot_.find_link(robot_.tip()), i = c_.link[link].link;
    const Vec3<Expr> r = link_pose(c_, frames, link).p - frames[i].p;
    const Twist<Expr> a = acceleration_at(rates.velocity(i), rates.acceleration(i), r);
    outputs(g, "bias", {a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z});
    return factored(simplify(g));
  }

  // Jᵀ y with (J Jᵀ + damping) y = x, by Cholesky's method without roots.
  Leans damped(const Leans& J, const Leans& x, const Lean& damping) const {
    const int n = c_.nv;
    Lean A[6][6], L[6][6], D[6];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) {
        for (int k = 0; k < n; ++k) A[i][j] = A[i][j] + J[i * n + k] * J[j * n + k];
        if (i == j) A[i][j] = A[i][j] + damping;
      }
    for (int j = 0; j < 6; ++j) {
      D[j] = A[j][j];
      for (int k = 0; k < j; ++k) D[j] = D[j] - L[j][k] * (L[j][k] * D[k]);
      for (int i = j + 1; i < 6; ++i) {
        Lean sum = A[i][j];
        for (int k = 0; k < j; ++k) sum = sum - L[i][k] * (L[j][k] * D[k]);
        L[i][j] = sum / D[j];
      }
    }
    Lean y[6];
    for (int i = 0; i < 6; ++i) {
      y[i] = x[i];
      for (int k = 0; k < i; ++k) y[i] = y[i] - L[i][k] * y[k];
    }
    for (int i = 0; i < 6; ++i) y[i] = y[i] / D[i];
    for (int i = 5; i >= 0; --i)
      for (int k = i + 1; k < 6; ++k) y[i] = y[i] - L[k][i] * y[k];
    Leans a(n);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < 6; ++i) a[k] = a[k] + J[i * n + k] * y[i];
    return a;
  }

  void hierarchy() {
    const int n = c_.nv;
    const Leans R = take("R", 9), p = take("p", 3);
    Leans q_goal;
    const auto form = closed_form(c_, robot_.find_link(robot_.tip()));
    if (form && c_.nq == 6) {
      const Leans branch = take("branch", 3);
      task("inverse_kinematics", -1, [&] {
        Leans x = R;
        x.insert(x.end(), p.begin(), p.end());
        x.insert(x.end(), branch.begin(), branch.end());
        q_goal = settled(called("ik", x));
      });
    } else {
      const Leans guess = take("q_guess", c_.nq);
      task("inverse_kinematics", -1, [&] {
        Leans x = guess;
        x.insert(x.end(), R.begin(), R.end());
        x.insert(x.end(), p.begin(), p.end());
        q_goal = settled(called("ik_step", x));
      });
    }
    q_goal.resize(c_.nq);  // what else it computes is not used
    const Leans q_start = take("q_start", c_.nq), s = take("s", 1), s_rate = take("s_rate", 1);
    const Leans q = take("q", c_.nq), v = take("v", n), kp = take("kp", n), kd = take("kd", n);

    Quintic along;
    Lean speed, acceleration;
    Leans q_d(c_.nq), v_d(n), a_d(n), way(n);
    task("profile", -1, [&] {
      along = quintic(s[0]);
      speed = along.rate * s_rate[0];
      acceleration = along.second * (s_rate[0] * s_rate[0]);
    });
    auto move = [&](int k) {
      v_d[k] = speed * way[k];
      a_d[k] = acceleration * way[k];
    };
    const bool plain = c_.nq == n;  // no quaternions: coordinates are independent
    if (plain) {
      for (int k = 0; k < n; ++k)
        task(fmt::format("trajectory{}", k + 1), k + 1, [&] {
          way[k] = q_goal[k] - q_start[k];
          q_d[k] = q_start[k] + along.at * way[k];
          move(k);
        });
    } else {
      task("trajectory", -1, [&] {
        const Description& d = robot_.description();
        difference(d, q_start.data(), q_goal.data(), way.data());
        Leans part(n);
        for (int k = 0; k < n; ++k) {
          part[k] = along.at * way[k];
          move(k);
        }
        integrate(d, q_start.data(), part.data(), q_d.data());
      });
    }
    Leans tau;
    task("inverse_dynamics", -1, [&] { tau = torques(q_d, v_d, a_d); });

    Leans off(n);
    if (!plain)
      task("position_error", -1,
           [&] { difference(robot_.description(), q.data(), q_d.data(), off.data()); });
    const std::vector<Robot::Limit>& limit = robot_.limits();
    for (int k = 0; k < n; ++k)
      task(fmt::format("control{}", k + 1), k + 1, [&] {
        if (plain) off[k] = q_d[k] - q[k];
        tau[k] = tau[k] + (kp[k] * off[k] + kd[k] * (v_d[k] - v[k]));
        tau[k] = Lean(tau[k].expr());
        if (!std::isfinite(limit[k].effort)) return;
        const Lean most(limit[k].effort), least(-limit[k].effort);
        tau[k] = select(most < tau[k], most, select(tau[k] < least, least, tau[k]));
      });
    give("tau", tau);
    give("q_goal", q_goal);
  }

  const Robot& robot_;
  const CanonicalModel& c_;
  TaskedGraph out_;
  Graph& g_;
  Recorder record_;
  bool friction_;
};

}  // namespace

TaskedGraph control_graph(const Robot& robot, ControlStep which, bool friction,
                          const OperationWeights& weights) {
  return StepTasks(robot, friction).run(which, weights);
}

}  // namespace parid::schedule

namespace parid {

std::span<const ControlStepInfo> control_steps() { return schedule::control_infos; }

const char* name(ControlStep which) {
  for (const ControlStepInfo& i : control_steps())
    if (i.value == which) return i.id;
  throw std::invalid_argument("there is no such control step");
}

}  // namespace parid
