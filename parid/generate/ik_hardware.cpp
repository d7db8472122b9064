#include "parid/generate/ik_hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "parid/error.hpp"
#include "parid/model/spelling.hpp"
#include "parid/pipeline/cordic.hpp"
#include "parid/pipeline/run_boxes.hpp"
#include "parid/scalar/quad.hpp"

namespace parid {
namespace {

using Angles = std::array<double, 6>;

IkHardware built(const std::string& id, BoxDesign design) {
  IkHardware h{id, std::move(design), {}, {}, {}};
  h.network = h.design.network();
  h.schedule = balanced(h.network);
  h.buffers = buffers(h.network, h.schedule);
  return h;
}

std::vector<Graph> graphs(const ClosedForm& form) {
  std::vector<Graph> all{ik_graph(form)};
  if (form.arm == ClosedForm::Arm::puma)
    for (const PumaArrangement& how : puma_arrangements()) all.push_back(ik_graph(form.puma, how));
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
    const bool slides = !puma && k == 2;
    const auto [s, c] = sin_cos(slides ? T(0.0) : q[k]);
    const T sa(turn[k]), ca(1 - std::abs(turn[k]));
    Pose<T> A;
    A.R.r0 = {c, -s * ca, s * sa}, A.R.r1 = {s, c * ca, -c * sa}, A.R.r2 = {T(0.0), sa, ca};
    A.p = {T(a[k]) * c, T(a[k]) * s, slides ? q[k] : T(d[k])};
    pose = pose * A;
  }
  return pose;
}

std::array<Quad, 9> asked(const Pose<Quad>& T) {  // p o a
  const Vec3<Quad> o = T.R.column(1), a = T.R.column(2);
  return {T.p.x, T.p.y, T.p.z, o.x, o.y, o.z, a.x, a.y, a.z};
}

std::vector<Raw> inputs(const ClosedForm& form, const Angles& q, FixedFormat word,
                        std::mt19937_64& random) {
  std::array<Quad, 6> fine;
  for (std::size_t k = 0; k < 6; ++k) fine[k] = Quad(q[k]);
  std::vector<Raw> in;
  for (const Quad& x : asked(wrist_of(form, fine))) in.push_back(word_of(word, x));
  for (int bit = 0; bit < 3; ++bit) in.push_back(word.raw(random() & 1 ? 1 : -1));
  return in;
}

}  // namespace

const std::vector<IkArrangement>& ik_arrangements() {
  static const std::vector<IkArrangement> all = {
      {"paper", "operations as the closed form writes them"},
      {"fewest", "the fewest modules that any arrangement has, then stages, then buffers"},
      {"fastest", "the fewest stages, then modules, then buffers"},
  };
  return all;
}

IkHardware ik_hardware(const ClosedForm& form, const std::string& arrangement) {
  std::vector<std::string> known;
  for (const IkArrangement& a : ik_arrangements()) known.emplace_back(a.id);
  if (std::find(known.begin(), known.end(), arrangement) == known.end())
    throw Error(fmt::format("--arrangement: '{}' is not known{}; choose from {}", arrangement,
                            did_you_mean(arrangement, known), fmt::join(known, ", ")));
  const auto finer = ik_constants(form);
  if (arrangement == "paper")
    return built(arrangement, cordic_boxes(ik_graph(form), {ik_signs, false, finer}));
  std::optional<IkHardware> best;
  auto rank = [&](const IkHardware& h) {
    const long modules = static_cast<long>(h.design.boxes.size()), stages = h.schedule.latency;
    return arrangement == "fewest" ? std::tuple(modules, stages, h.buffers.shared)
                                   : std::tuple(stages, modules, h.buffers.shared);
  };
  for (const Graph& g : graphs(form))
    for (const bool by_readiness : {false, true}) {
      IkHardware h = built(arrangement, cordic_boxes(g, {ik_signs, by_readiness, finer}));
      if (!best || rank(h) < rank(*best)) best = std::move(h);
    }
  return *best;
}

Pose<double> wrist_pose(const ClosedForm& form, const Angles& q) { return wrist_of(form, q); }

std::vector<std::vector<Raw>> ik_samples(const ClosedForm& form, FixedFormat word, int count,
                                         unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Raw>> all;
  for (int k = 0; k < count; ++k)
    all.push_back(inputs(form, posture(form, random).q, word, random));
  return all;
}

IkAccuracy ik_accuracy(const ClosedForm& form, const BoxDesign& design,
                       const Cordic<CordicFixed>& cordic, int samples, unsigned seed) {
  const BoxRunner<CordicFixed> run(design, cordic);
  const FixedFormat word = cordic.arithmetic.format;
  std::mt19937_64 random(seed);
  IkAccuracy e;
  for (int k = 0; k < samples; ++k) {
    const Posture p = posture(form, random);
    const std::vector<Raw> in = inputs(form, p.q, word, random), out = run(in);
    std::array<Quad, 6> q;
    for (std::size_t j = 0; j < 6; ++j) q[j] = Quad::of(word, out[j]);
    const std::array<Quad, 9> got = asked(wrist_of(form, q));
    ++(p.regular ? e.regular : e.singular);
    for (std::size_t j = 0; j < 9; ++j) {
      double& worst = p.regular ? (j < 3 ? e.position : e.orientation)
                                : (j < 3 ? e.singular_position : e.singular_orientation);
      worst = std::max(worst, static_cast<double>(abs(got[j] - Quad::of(word, in[j]))));
    }
  }
  return e;
}

}  // namespace parid
