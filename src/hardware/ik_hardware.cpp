#include "hardware/ik_hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "base/text/spelling.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/pipeline/cordic.hpp"
#include "hardware/pipeline/run_boxes.hpp"
#include "hardware/verilog/verilog.hpp"
#include "kinematics/path.hpp"
#include "parid/error.hpp"
#include "parid/robot.hpp"
#include "scalar/quad.hpp"

namespace parid::hardware {
namespace {

using Angles = std::array<double, 6>;

bool slides(const ClosedForm& form, std::size_t joint) {
  return form.arm == ClosedForm::Arm::stanford && joint == 2;
}

// Adds the base placement, the joints' signs and zeros, and the limits' middles at the ports.
void place(const IkArm& arm, BoxDesign& d) {
  const IkFrames frames(arm.form);
  const Vec3<Quad>& at = frames.base.p;
  for (const int s : d.inputs()) {
    BoxDesign::Signal& in = d.signals[s];
    in.offset = in.name == "px"   ? -at.x
                : in.name == "py" ? -at.y
                : in.name == "pz" ? -at.z
                                  : Quad(0);
  }
  if (arm.own_angles) return;
  for (std::size_t k = 0; k < 6; ++k) {
    BoxDesign::Output& o = d.outputs[k];
    const bool turned_round = arm.form.sign[k] < 0;
    if (turned_round) o.value = -o.value;
    o.offset = turned_round ? frames.zero[k] : -frames.zero[k];
    o.wraps = !slides(arm.form, k);
    o.middle = o.wraps ? Quad(arm.middle[k]) : Quad(0);
  }
}

IkHardware built(const IkArm& arm, const std::string& id, BoxDesign design) {
  place(arm, design);
  IkHardware h{id, std::move(design), {}, {}, {}};
  h.network = h.design.network();
  h.schedule = balanced(h.network);
  h.buffers = buffers(h.network, h.schedule);
  return h;
}

std::vector<Graph> graphs(const ClosedForm& form) {
  std::vector<Graph> all{ik_graph(form)};
  if (form.arm == ClosedForm::Arm::puma)
    for (const PumaArrangement& how : puma_arrangements()) all.push_back(ik_graph(form, how));
  return all;
}

double draw_angle(std::mt19937_64& random) {
  return std::uniform_real_distribution<>(-3.14159, 3.14159)(random);
}

struct Posture {
  Angles q;
  bool regular;
};
Posture posture(const ClosedForm& form, std::mt19937_64& random) {
  Posture p;
  for (double& x : p.q) x = draw_angle(random);
  const bool puma = form.arm == ClosedForm::Arm::puma;
  if (!puma) p.q[2] = std::uniform_real_distribution<>(0.1, 1)(random);
  const Vec3<double> at = wrist_pose(form, p.q).p;
  const double d2 = puma ? form.puma.d2 : form.stanford.d2;
  const double bent = puma ? std::cos(p.q[2] + std::atan2(form.puma.a3, form.puma.d4)) : 1;
  p.regular = std::abs(std::sin(p.q[4])) > 0.1 && std::abs(bent) > 0.1 &&
              std::hypot(at.x, at.y) > 1.1 * std::abs(d2);
  return p;
}

template <class T>
Pose<T> wrist_of(const ClosedForm& form, const std::array<T, 6>& q) {
  const bool puma = form.arm == ClosedForm::Arm::puma;
  const PumaLengths& l = form.puma;
  const Angles turn = puma ? Angles{-1, 0, 1, -1, 1, 0} : Angles{-1, 1, 0, -1, 1, 0};  // quarters
  const Angles a = puma ? Angles{0, l.a2, l.a3, 0, 0, 0} : Angles{};
  const Angles d = puma ? Angles{0, l.d2, 0, l.d4, 0, 0} : Angles{0, form.stanford.d2, 0, 0, 0, 0};
  Pose<T> pose;
  pose.p = {T(0.0), T(0.0), T(0.0)};
  for (std::size_t k = 0; k < 6; ++k) {
    const bool slide = slides(form, k);
    const auto [s, c] = sin_cos(slide ? T(0.0) : q[k]);
    const T sa(turn[k]), ca(1 - std::abs(turn[k]));
    Pose<T> A;
    A.R.r0 = {c, -s * ca, s * sa};
    A.R.r1 = {s, c * ca, -c * sa};
    A.R.r2 = {T(0.0), sa, ca};
    A.p = {T(a[k]) * c, T(a[k]) * s, slide ? q[k] : T(d[k])};
    pose = pose * A;
  }
  return pose;
}

// The link's pose in the world for the form's angles.
Pose<Quad> link_of(const ClosedForm& form, const IkFrames& frames,
                   const std::array<Quad, 6>& angles) {
  return frames.base * wrist_of(form, angles) * inverse(frames.tool);
}

std::vector<Raw> inputs(const IkArm& arm, const Angles& q, FixedFormat word,
                        std::mt19937_64& random) {
  std::array<Quad, 6> fine;
  for (std::size_t k = 0; k < 6; ++k) fine[k] = Quad(q[k]);
  std::vector<Raw> in;
  for (const Quad& x : ik_inputs(arm, link_of(arm.form, IkFrames(arm.form), fine)))
    in.push_back(word_of(word, x));
  for (int bit = 0; bit < 3; ++bit) in.push_back(word.raw(random() & 1 ? 1 : -1));
  return in;
}

}  // namespace

const std::vector<IkArrangement>& ik_arrangements() {
  static const std::vector<IkArrangement> all = {
      {"paper", "operations as written in the closed form"},
      {"fewest", "fewest modules of all arrangements, then fewest stages, then fewest buffers"},
      {"fastest", "fewest stages, then fewest modules, then fewest buffers"},
  };
  return all;
}

IkArm::IkArm(const Robot& robot, const std::string& of) : link(of) {
  const int index = robot.find_link(link);
  const auto found = closed_form(robot.canonical(), index);
  if (!found)
    throw Error(
        fmt::format("robot '{}' has no closed-form inverse kinematics for link '{}'; PUMA-like and "
                    "Stanford-like arms have one",
                    robot.name(), link));
  form = *found;
  own_angles = false;
  const Path path = path_to(robot.canonical(), robot.description(), index);
  for (std::size_t k = 0; k < 6; ++k) {
    joints[k] = robot.position_names()[static_cast<std::size_t>(form.coordinate[k])];
    for (const PathFreedom& f : path.freedoms)
      if (path.position[static_cast<std::size_t>(f.q)] == form.coordinate[k] &&
          std::isfinite(f.lower) && std::isfinite(f.upper))
        middle[k] = 0.5 * (f.lower + f.upper);
  }
}

FixedFormat ik_format(const IkArm& arm, int word) {
  const ClosedForm& form = arm.form;
  const PumaLengths& l = form.puma;
  const bool puma = form.arm == ClosedForm::Arm::puma;
  const double reach =
      puma ? l.a2 + std::abs(l.a3) + std::abs(l.d2) + l.d4
           : std::abs(form.stanford.d2) + std::abs(form.zero[2]) + std::abs(arm.middle[2]) + 1;
  double most = norm(form.base.p) + reach + norm(form.tool.p);
  for (std::size_t k = 0; k < 6; ++k)
    if (!slides(form, k)) most = std::max(most, std::abs(arm.middle[k]) + 3.15);
  const int before = std::max(3, static_cast<int>(std::floor(std::log2(most))) + 1);
  if (word - 1 - before < 2)
    throw Error(
        fmt::format("joint positions up to {:.3g} m do not leave fraction bits in words of {} "
                    "bits; use words of at least {} bits",
                    most, word, before + 3));
  return {word, word - 1 - before};
}

std::vector<std::string> ik_ports(const IkArm& arm, const BoxDesign& d) {
  std::vector<std::string> columns, angles;
  for (const std::string& name : d.input_names())
    if (name == "nx" || name == "ox" || name == "ax") columns.push_back(name.substr(0, 1));
  for (std::size_t k = 0; k < 6; ++k)
    angles.push_back(fmt::format("q{} '{}'", k + 1, arm.joints[k]));
  return {
      fmt::format("inputs: pose of link '{}' in the robot's base frame: origin p in m, columns {} "
                  "of its rotation (n o a); sign bits arm, elbow, wrist (1 means negative)",
                  arm.link, fmt::join(columns, " and ")),
      fmt::format("outputs: joint positions of the robot file, angles within half a turn of the "
                  "middle of their limits: {}",
                  fmt::join(angles, ", "))};
}

std::string ik_verilog(const IkArm& arm, const IkHardware& h, const Cordic<CordicFixed>& cordic,
                       const std::string& name) {
  std::string text;
  for (const std::string& line : ik_ports(arm, h.design)) text += "// " + comment_line(line) + "\n";
  return text + verilog_machine(h.design, h.schedule, cordic, name);
}

std::vector<Quad> ik_inputs(const IkArm& arm, const Pose<Quad>& link) {
  const IkFrames frames(arm.form);
  std::vector<Quad> in{link.p.x, link.p.y, link.p.z};
  for (int k = 0; k < 3; ++k)
    if (frames.needed[static_cast<std::size_t>(k)]) {
      const Vec3<Quad> c = link.R.column(k);
      in.insert(in.end(), {c.x, c.y, c.z});
    }
  return in;
}

IkHardware ik_hardware(const IkArm& arm, const std::string& arrangement) {
  const ClosedForm& form = arm.form;
  std::vector<std::string> known;
  for (const IkArrangement& a : ik_arrangements()) known.emplace_back(a.id);
  if (std::find(known.begin(), known.end(), arrangement) == known.end())
    throw Error(fmt::format("`arrangement`: unknown arrangement '{}'; {}choose from {}",
                            arrangement, did_you_mean(arrangement, known), fmt::join(known, ", ")));
  const auto finer = ik_constants(form);
  if (arrangement == "paper")
    return built(arm, arrangement, cordic_boxes(ik_graph(form), {ik_signs, false, finer}));
  std::optional<IkHardware> best;
  auto rank = [&](const IkHardware& h) {
    const long modules = static_cast<long>(h.design.boxes.size()), stages = h.schedule.latency;
    return arrangement == "fewest" ? std::tuple(modules, stages, h.buffers.shared)
                                   : std::tuple(stages, modules, h.buffers.shared);
  };
  for (const Graph& g : graphs(form))
    for (const bool by_readiness : {false, true}) {
      IkHardware h = built(arm, arrangement, cordic_boxes(g, {ik_signs, by_readiness, finer}));
      if (!best || rank(h) < rank(*best)) best = std::move(h);
    }
  return *best;
}

Pose<double> wrist_pose(const ClosedForm& form, const Angles& q) { return wrist_of(form, q); }

std::vector<std::vector<Raw>> ik_samples(const IkArm& arm, FixedFormat word, int count,
                                         unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Raw>> all;
  for (int k = 0; k < count; ++k)
    all.push_back(inputs(arm, posture(arm.form, random).q, word, random));
  return all;
}

IkAccuracy ik_accuracy(const IkArm& arm, const BoxDesign& design, const Cordic<CordicFixed>& cordic,
                       int samples, unsigned seed) {
  const BoxRunner<CordicFixed> run(design, cordic);
  const FixedFormat word = cordic.arithmetic.format;
  const IkFrames frames(arm.form);
  std::mt19937_64 random(seed);
  IkAccuracy e;
  for (int k = 0; k < samples; ++k) {
    const Posture p = posture(arm.form, random);
    const std::vector<Raw> in = inputs(arm, p.q, word, random), out = run(in);
    std::array<Quad, 6> angle;
    for (std::size_t j = 0; j < 6; ++j) {
      angle[j] = Quad::of(word, out[j]);
      if (!arm.own_angles) angle[j] = Quad(arm.form.sign[j]) * angle[j] + frames.zero[j];
    }
    const std::vector<Quad> got = ik_inputs(arm, link_of(arm.form, frames, angle));
    ++(p.regular ? e.regular : e.singular);
    for (std::size_t j = 0; j < got.size(); ++j) {
      double& worst = p.regular ? (j < 3 ? e.position : e.orientation)
                                : (j < 3 ? e.singular_position : e.singular_orientation);
      worst = std::max(worst, static_cast<double>(abs(got[j] - Quad::of(word, in[j]))));
    }
  }
  return e;
}

}  // namespace parid::hardware
