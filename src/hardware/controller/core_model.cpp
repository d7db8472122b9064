// What a controller core computes, word by word, and the same law in double.

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <stdexcept>

#include "graph/evaluate.hpp"
#include "hardware/controller/controller_core.hpp"
#include "hardware/pipeline/formats.hpp"
#include "hardware/pipeline/run_boxes.hpp"

namespace parid::hardware {
namespace {

// a ± b rounded to the result's format, not limited.
Raw limiter_sum(const CoreOperation& o, Raw a, Raw b) {
  const int fa = o.in[0].format.fraction, fb = o.in.size() > 1 ? o.in[1].format.fraction : fa;
  const int finest = std::max(fa, fb);
  a <<= finest - fa;
  b <<= finest - fb;
  return rounded_shift(o.op == Op::sub ? a - b : a + b, finest - o.out.fraction);
}

Raw turned_to_middle(const CoreOperation& o, Raw x, const FixedFormat& f) {
  Raw y = x + o.offset;
  for (int k = 0; k < 2; ++k) y = o.half < y ? y - o.turn : y < -o.half ? y + o.turn : y;
  return f.held(y + o.middle);
}

}  // namespace

CoreModel::CoreModel(const ControllerCore& core) : branch(core.program.branch), core_(core) {
  reset();
}

void CoreModel::reset() {
  const CoreProgram& p = core_.program;
  branch = p.branch;
  bank.clear();
  for (const CoreRegister& r : p.bank) bank.push_back(r.initial);
  signal_.assign(p.signals.size(), 0);
  history_.assign(p.operations.size(), {});
}

Raw CoreModel::read(const CoreOperand& o) const {
  Raw x = 0;
  switch (o.from) {
    case CoreOperand::From::signal: x = signal_[static_cast<std::size_t>(o.index)]; break;
    case CoreOperand::From::constant: x = o.constant; break;
    case CoreOperand::From::bank: x = bank[static_cast<std::size_t>(o.index)]; break;
  }
  const bool minus = o.negated != (std::popcount(o.signs & branch) % 2 == 1);
  return minus ? o.format.held(-x) : x;
}

CoreResult CoreModel::step(std::span<const Raw> setpoint, std::span<const Raw> measured) {
  const CoreProgram& p = core_.program;
  if (setpoint.size() != p.setpoint.size() || measured.size() != p.measured.size())
    throw std::invalid_argument("CoreModel::step: wrong number of words");
  for (std::size_t k = 0; k < setpoint.size(); ++k)
    signal_[static_cast<std::size_t>(p.setpoint[k])] = setpoint[k];
  CoreResult result;
  for (std::size_t op = 0; op < p.operations.size(); ++op) {
    const CoreOperation& o = p.operations[op];
    const auto put = [&](std::size_t port, Raw x) {
      if (port < o.results.size() && o.results[port] >= 0)
        signal_[static_cast<std::size_t>(o.results[port])] = x;
    };
    const Raw a = o.in.empty() ? 0 : read(o.in[0]);
    const Raw b = o.in.size() > 1 ? read(o.in[1]) : 0;
    switch (o.unit) {
      case CoreUnit::multiplier:
      case CoreUnit::adder:
        put(0, fixed_operation(o.op, a, o.in[0].format, b, o.in[1].format, o.out));
        break;
      case CoreUnit::sine: {
        const SinCos<Raw> x = p.sin_cos(a);
        put(0, x.sin);
        put(1, x.cos);
        break;
      }
      case CoreUnit::limiter: {
        const Raw x = limiter_sum(o, a, b);
        const Raw high = o.limit < 0 ? o.high : bank[static_cast<std::size_t>(o.limit)],
                  low = o.limit < 0 ? o.low : -high;
        if ((x < low || x > high) && o.flag != CoreFlag::none)
          result.status |= 1U << static_cast<unsigned>(o.flag);
        put(0, std::clamp(x, low, high));
        break;
      }
      case CoreUnit::turner: put(0, turned_to_middle(o, a, o.out)); break;
      case CoreUnit::history: {
        std::deque<Raw>& h = history_[op];
        if (h.empty()) h.assign(static_cast<std::size_t>(o.samples), a);
        put(0, h.back());
        h.pop_back();
        h.push_front(a);
        break;
      }
      case CoreUnit::measure:
        for (std::size_t k = 0; k < measured.size(); ++k) put(k, measured[k]);
        break;
      default: {
        const auto v = (*p.cordic)(box_of(o.unit), a, b, read(o.in[2]));
        put(0, v.x);
        put(1, v.y);
        put(2, v.z);
      }
    }
  }
  for (const CoreOperand& t : p.torque) result.torque.push_back(read(t));
  return result;
}

std::vector<Raw> CoreModel::joint_words() const {
  std::vector<Raw> words;
  for (const CoreOperand& r : core_.program.reference) words.push_back(read(r));
  return words;
}

std::vector<double> CoreModel::joint_setpoints() const {
  std::vector<double> q = {};
  const std::vector<Raw> words = joint_words();
  for (std::size_t j = 0; j < words.size(); ++j)
    q.push_back(core_.program.reference[j].format.value(words[j]));
  return q;
}

template <class T>
void CoreLaw<T>::step(std::span<const T> setpoint, std::span<const T> measured,
                      std::span<T> torque) {
  const std::size_t n = core_.n();
  const auto window = static_cast<std::size_t>(core_.options.window);
  const auto limited = [](const T& x, double low, double high) {
    return x < T(low) ? T(low) : T(high) < x ? T(high) : x;
  };
  const auto within = [&](const T& x, double most) { return limited(x, -most, most); };
  std::vector<T> r(setpoint.begin(), setpoint.end()), now(measured.begin(), measured.end());
  for (std::size_t j = 0; j < n; ++j)
    r[j] = limited(r[j], core_.joints[j].lower, core_.joints[j].upper);
  if (setpoints_.empty()) {
    setpoints_.assign(2 * window, r);
    measured_.assign(window, now);
  }
  setpoints_.push_front(r);
  measured_.push_front(now);
  // Constants are rounded to double, as in the program.
  const double span = static_cast<double>(window) * core_.period(),
               most = core_.options.acceleration;
  const T per_span(1 / span), per_two(1 / (2 * span)), per_square(1 / (span * span));
  const bool computed = core_.options.law == "computed_torque",
             feedforward = core_.options.law == "pd+feedforward";
  std::vector<T> q(n), v(n), a(n), correction(n);
  for (std::size_t j = 0; j < n; ++j) {
    const CoreJoint& joint = core_.joints[j];
    const T middle = setpoints_[window][j];
    const double far = joint.velocity * span;
    const T later = within(setpoints_[0][j] - middle, far),
            earlier = within(middle - setpoints_[2 * window][j], far);
    const T v_d = (later + earlier) * per_two,
            a_d = within(later - earlier, most * span * span) * per_square,
            v_m = within(now[j] - measured_[window][j], far) * per_span;
    correction[j] =
        T(joint.kp) * within(middle - now[j], core_.options.error) + T(joint.kd) * (v_d - v_m);
    q[j] = feedforward ? middle : now[j];
    v[j] = feedforward ? v_d : v_m;
    a[j] = feedforward ? a_d : within(a_d + correction[j], most);
  }
  std::vector<T> in;
  for (const Named& x : core_.dynamics.inputs()) {
    const auto j = static_cast<std::size_t>(std::stoi(x.name.substr(1))) - 1;
    in.push_back(x.name.front() == 'q' ? q[j] : x.name.front() == 'v' ? v[j] : a[j]);
  }
  const std::vector<T> model = evaluate<T>(core_.dynamics, in);
  for (std::size_t j = 0; j < n; ++j) {
    const T tau = (model.empty() ? T(0.0) : model[j]) + (computed ? T(0.0) : correction[j]);
    torque[j] = within(tau, core_.joints[j].effort);
  }
  setpoints_.pop_back();
  measured_.pop_back();
}
template class CoreLaw<double>;
template class CoreLaw<Quad>;

CoreError core_error(const ControllerCore& core, int samples, unsigned seed) {
  // Every joint swings about the middle of its limits, as far and as fast as its ranges allow in
  // half, and the measurement is slightly beside the set point.
  std::mt19937_64 random(seed);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random);
  };
  const std::size_t n = core.n();
  struct Swing {
    double middle, size, speed, phase, aside, aside_speed;
  };
  std::vector<Swing> swings;
  for (const CoreJoint& j : core.joints) {
    Swing s{};
    s.middle = (j.lower + j.upper) / 2;
    s.size = std::max(draw(0.2, 0.45) * (j.upper - j.lower), 1e-6);
    const double most =
        std::min(0.5 * j.velocity / s.size, std::sqrt(0.3 * core.options.acceleration / s.size));
    s.speed = draw(0.5, 1) * most;
    s.phase = draw(0, 6.28);
    s.aside = draw(0.2, 1) * std::min(0.05 * core.options.error, 0.02);
    s.aside_speed = draw(1, 5);
    swings.push_back(s);
  }
  CoreModel model(core);
  CoreLaw<Quad> law(core);
  CoreError error;
  std::vector<double> largest(n, 0), worst(n, 0), q(n), m(n);
  std::vector<Quad> set(n), at(n), torque(n);
  for (int k = 0; k < samples; ++k) {
    // Fewer samples than seconds of motion: the motion is cut into pieces, histories start anew.
    const int piece = 8 * core.options.window + 8;
    if (k % piece == 0) {
      model.reset();
      law.reset();
      for (Swing& s : swings) s.phase = draw(0, 6.28);
    }
    const double t = (k % piece) * core.period();
    for (std::size_t j = 0; j < n; ++j) {
      const Swing& s = swings[j];
      q[j] = s.middle + s.size * std::sin(s.speed * t + s.phase);
      m[j] = q[j] + s.aside * std::sin(s.aside_speed * t);
    }
    if (core.options.setpoint == SetPoint::pose) model.branch = core.branch_of(q);
    const std::vector<Raw> words = core.measured_words(m);
    const CoreResult got = model.step(core.setpoint_words(q), words);
    const std::vector<Raw> joints = model.joint_words();
    for (std::size_t j = 0; j < n; ++j) {
      set[j] = Quad::of(core.program.reference[j].format, joints[j]);
      at[j] = Quad::of(core.program.measured[j], words[j]);
    }
    law.step(set, at, torque);
    if (k % piece < 2 * core.options.window) continue;  // histories fill
    if (got.status != 0) continue;                      // limited: the error is that of the limit
    for (std::size_t j = 0; j < n; ++j) {
      const Quad off = torque[j] - Quad::of(core.program.torque[j].format, got.torque[j]);
      largest[j] = std::max(largest[j], std::abs(static_cast<double>(torque[j])));
      worst[j] = std::max(worst[j], std::abs(static_cast<double>(off)));
    }
    ++error.samples;
  }
  for (std::size_t j = 0; j < n; ++j) {
    error.torque = std::max(error.torque, worst[j]);
    if (worst[j] > 0)
      error.over_bound = std::max(error.over_bound, worst[j] / core.torque_bounds[j]);
    if (largest[j] > 0) {
      error.share = std::max(error.share, worst[j] / largest[j]);
      error.bound_share = std::max(error.bound_share, core.torque_bounds[j] / largest[j]);
    }
  }
  return error;
}

}  // namespace parid::hardware
