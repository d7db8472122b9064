#include "hardware/serial_arm_hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "hardware/pipeline/cordic.hpp"
#include "hardware/pipeline/run_boxes.hpp"
#include "kinematics/path.hpp"
#include "kinematics/serial_arm_ik.hpp"
#include "parid/error.hpp"

namespace parid::hardware {
namespace {

using Chain = std::array<double, SerialArm::most_joints>;

double snapped(double x) {  // directions along axes
  const double nearest = std::nearbyint(x);
  return std::abs(x - nearest) < 1e-12 ? nearest : x;
}
Pose<double> snapped(Pose<double> A) {
  for (Vec3<double>* row : {&A.R.r0, &A.R.r1, &A.R.r2})
    for (double* x : {&row->x, &row->y, &row->z}) *x = snapped(*x);
  for (double* x : {&A.p.x, &A.p.y, &A.p.z})
    if (std::abs(*x) < 1e-12) *x = 0;
  return A;
}

// The form with its angles θ as positions and its frame 0 at the origin: signs, zeros and the
// base's place are added at the ports.
SerialArm at_ports(const SerialArm& form) {
  SerialArm f = form;
  f.sign.fill(1);
  f.zero.fill(0);
  f.base = snapped(f.base);
  f.base.p = {0, 0, 0};
  f.tool = snapped(f.tool);
  return f;
}

Graph graph_of(const SerialArm& form) {
  Graph g;
  auto vector = [&](const std::string& name) {
    const Expr x = input(g, name + "x"), y = input(g, name + "y"), z = input(g, name + "z");
    return Vec3<Expr>{x, y, z};
  };
  Pose<Expr> pose;
  pose.p = vector("p");
  const Vec3<Expr> n = vector("n"), o = vector("o"), a = vector("a");
  pose.R = transposed(Mat3<Expr>{n, o, a});
  std::vector<Expr> sign;
  for (int k = 0; k < form.signs(); ++k)
    sign.push_back(input(g, ik_signs[static_cast<std::size_t>(k)]));
  auto of = [&](std::size_t k) { return k < sign.size() ? sign[k] : Expr(1.0); };
  const auto x = branch(form, pose, of(0), of(1), of(2), Expr(0.0));
  for (int k = 0; k < form.joints; ++k)
    output(g, "q" + std::to_string(k + 1), x.q[static_cast<std::size_t>(k)]);
  return simplify(g);
}

// A configuration in the form's own angles, and its pose with frame 0 of the base at the origin.
struct ArmSample {
  Chain theta{};
  Pose<double> pose;
  int which = 0;
  bool regular = false;
};

double off_turns(double x) { return std::abs(std::remainder(x, 2 * 3.14159265358979323846)); }

ArmSample arm_sample(const SerialArm& ports, std::mt19937_64& random) {
  ArmSample s;
  for (int k = 0; k < ports.joints; ++k)
    s.theta[static_cast<std::size_t>(k)] =
        k == ports.slide ? std::uniform_real_distribution<>(-0.5, 0.5)(random)
                         : std::uniform_real_distribution<>(-3.14159, 3.14159)(random);
  s.pose = forward(ports, s.theta);
  // the branch that returns it; regular where small changes of the pose change the angles little
  double nearest = 1e9;
  for (int b = 0; b < ports.branches(); ++b) {
    const auto found = branch(ports, s.pose, b, 0.0);
    double off = 0;
    for (int k = 0; k < ports.joints; ++k) {
      const auto j = static_cast<std::size_t>(k);
      off = std::max(off, k == ports.slide ? std::abs(found.q[j] - s.theta[j])
                                           : off_turns(found.q[j] - s.theta[j]));
    }
    if (off < nearest) {
      nearest = off;
      s.which = b;
      s.regular = found.reach > 0.01;
    }
  }
  Pose<double> moved = s.pose;
  moved.p = moved.p + Vec3<double>{1e-7, -1e-7, 1e-7};
  const auto there = branch(ports, moved, s.which, 0.0), here = branch(ports, s.pose, s.which, 0.0);
  for (int k = 0; k < ports.joints; ++k)
    s.regular &= off_turns(there.q[static_cast<std::size_t>(k)] -
                           here.q[static_cast<std::size_t>(k)]) < 1e-5;
  if (ports.axes == 6) {
    const auto wrist = static_cast<std::size_t>(ports.place[4]);
    s.regular &= std::abs(std::sin(s.theta[wrist])) > 0.1;
  }
  return s;
}

// The values at the input ports, in the order of the design.
std::vector<double> port_values(const SerialArmHardware& h, const ArmSample& s) {
  std::vector<double> in;
  const Vec3<double> p = s.pose.p + h.form.base.p;
  for (const std::string& name : h.design.input_names()) {
    const auto sign = std::find(ik_signs.begin(), ik_signs.end(), name);
    if (sign != ik_signs.end()) {
      in.push_back((s.which >> (sign - ik_signs.begin()) & 1) != 0 ? -1 : 1);
      continue;
    }
    const Vec3<double> v = name[0] == 'p' ? p
                                          : s.pose.R.column(name[0] == 'n'   ? 0
                                                            : name[0] == 'o' ? 1
                                                                             : 2);
    in.push_back(name[1] == 'x' ? v.x : name[1] == 'y' ? v.y : v.z);
  }
  return in;
}

std::vector<Raw> port_words(const SerialArmHardware& h, const ArmSample& s, FixedFormat word) {
  std::vector<Raw> in;
  for (const double x : port_values(h, s)) in.push_back(word.raw(x));
  return in;
}

double largest_value(const SerialArmHardware& h, const SerialArm& ports, const Graph& g) {
  std::mt19937_64 random(9);
  std::vector<double> out(g.outputs().size()), scratch(g.size());
  double most = 3.2;
  for (int n = 0; n < 300; ++n) {
    const ArmSample s = arm_sample(ports, random);
    std::vector<double> in = port_values(h, s);
    std::size_t k = 0;
    for (const Named& i : g.inputs()) {
      if (i.name == "px") in[k] -= h.form.base.p.x;
      if (i.name == "py") in[k] -= h.form.base.p.y;
      if (i.name == "pz") in[k] -= h.form.base.p.z;
      ++k;
    }
    evaluate<double>(g, in, out, scratch);
    for (const double x : scratch)
      if (std::isfinite(x)) most = std::max(most, std::abs(x));
  }
  return 1.1 * most;
}

}  // namespace

SerialArmHardware serial_arm_hardware(const Robot& robot, const std::string& link) {
  const int index = robot.find_link(link);
  const SerialArmSearch found = serial_arm(robot.canonical(), index);
  if (!found.arm)
    throw Error(fmt::format("robot '{}' has no closed-form inverse kinematics for link '{}': {}",
                            robot.name(), link, found.why));
  if (found.arm->redundancy != SerialArm::Redundancy::none)
    throw Error(
        fmt::format("robot '{}': inverse kinematics of seven-axis arms has no machine; lock a "
                    "joint with --lock",
                    robot.name()));
  SerialArmHardware h;
  h.form = *found.arm;
  h.link = link;
  h.text = description_of(h.form);
  const Path path = path_to(robot.canonical(), robot.description(), index);
  for (int k = 0; k < h.form.joints; ++k) {
    const int coordinate = h.form.coordinate[static_cast<std::size_t>(k)];
    h.joints.push_back(robot.position_names()[static_cast<std::size_t>(coordinate)]);
    h.middle.push_back(0);
    for (const PathFreedom& f : path.freedoms)
      if (path.position[static_cast<std::size_t>(f.q)] == coordinate && std::isfinite(f.lower) &&
          std::isfinite(f.upper))
        h.middle.back() = 0.5 * (f.lower + f.upper);
  }
  const SerialArm ports = at_ports(h.form);
  const Graph g = graph_of(ports);
  h.design = cordic_boxes(g, {ik_signs, false, {}});
  for (const int s : h.design.inputs()) {
    BoxDesign::Signal& in = h.design.signals[static_cast<std::size_t>(s)];
    in.offset = in.name == "px"   ? Quad(-h.form.base.p.x)
                : in.name == "py" ? Quad(-h.form.base.p.y)
                : in.name == "pz" ? Quad(-h.form.base.p.z)
                                  : Quad(0);
  }
  for (std::size_t k = 0; k < h.joints.size(); ++k) {
    BoxDesign::Output& o = h.design.outputs[k];
    const bool turned_round = h.form.sign[k] < 0;
    if (turned_round) o.value = -o.value;
    o.offset = Quad(turned_round ? h.form.zero[k] : -h.form.zero[k]);
    o.wraps = static_cast<int>(k) != h.form.slide;
    o.middle = o.wraps ? Quad(h.middle[k]) : Quad(0);
  }
  h.largest = largest_value(h, ports, g) + norm(h.form.base.p);
  for (const double m : h.middle) h.largest = std::max(h.largest, std::abs(m) + 3.15);
  h.network = h.design.network();
  h.schedule = balanced(h.network);
  h.buffers = buffers(h.network, h.schedule);
  return h;
}

FixedFormat serial_arm_format(const SerialArmHardware& h, int word) {
  const int before = std::max(3, static_cast<int>(std::floor(std::log2(h.largest))) + 1);
  if (word - 1 - before < 2)
    throw Error(
        fmt::format("values up to {:.3g} do not leave fraction bits in words of {} bits; "
                    "use words of at least {} bits",
                    h.largest, word, before + 3));
  return {word, word - 1 - before};
}

IkAccuracy serial_arm_accuracy(const SerialArmHardware& h, const Cordic<CordicFixed>& cordic,
                               int samples, unsigned seed) {
  const BoxRunner<CordicFixed> run(h.design, cordic);
  const FixedFormat word = cordic.arithmetic.format;
  const SerialArm ports = at_ports(h.form);
  std::mt19937_64 random(seed);
  IkAccuracy e;
  for (int n = 0; n < samples; ++n) {
    const ArmSample s = arm_sample(ports, random);
    const std::vector<Raw> in = port_words(h, s, word), out = run(in);
    Chain q{};
    for (std::size_t k = 0; k < h.joints.size(); ++k) q[k] = word.value(out[k]);
    const Pose<double> at = forward(h.form, q);
    const Vec3<double> p = at.p - (s.pose.p + h.form.base.p);
    double orientation = 0;
    for (const Vec3<double>& d :
         {at.R.r0 - s.pose.R.r0, at.R.r1 - s.pose.R.r1, at.R.r2 - s.pose.R.r2})
      orientation = std::max({orientation, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    const double position = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    ++(s.regular ? e.regular : e.singular);
    double &worst = s.regular ? e.position : e.singular_position,
           &turned = s.regular ? e.orientation : e.singular_orientation;
    worst = std::max(worst, position);
    turned = std::max(turned, orientation);
  }
  return e;
}

std::vector<std::vector<Raw>> serial_arm_samples(const SerialArmHardware& h, FixedFormat word,
                                                 int count, unsigned seed) {
  std::mt19937_64 random(seed);
  const SerialArm ports = at_ports(h.form);
  std::vector<std::vector<Raw>> all;
  for (int n = 0; n < count; ++n) all.push_back(port_words(h, arm_sample(ports, random), word));
  return all;
}

}  // namespace parid::hardware
