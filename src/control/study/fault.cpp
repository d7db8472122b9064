#include "control/study/fault.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text/spelling.hpp"
#include "model/given_values.hpp"
#include "parid/dynamics.hpp"
#include "parid/kinematics.hpp"
#include "parid/momentum_observer.hpp"

namespace parid::control {
namespace {

constexpr const char* fault_names[] = {"loss", "payload", "collision"};
constexpr const char* fault_examples[] = {"loss:{}=0.5@1", "payload:{}=2@1",
                                          "collision:{}=0,0,-20@1+0.1"};

[[noreturn]] void refuse_fault(const std::string& text, const std::string& wrong,
                               const std::string& right) {
  throw Error(fmt::format("fault '{}': {}; {}", text, wrong, right));
}

double fault_number(const std::string& text, std::string_view part) {
  double x = 0;
  const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), x);
  if (error != std::errc() || stop != part.data() + part.size() || !std::isfinite(x))
    refuse_fault(text, fmt::format("'{}' is not a number", part), "give numbers");
  return x;
}
std::vector<double> fault_numbers(const std::string& text, std::string_view list) {
  std::vector<double> all;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t to = std::min(list.find(',', from), list.size());
    all.push_back(fault_number(text, list.substr(from, to - from)));
    from = to + 1;
  }
  return all;
}

// What a fault does to the plant: it changes the torques that act on it. The plant with a payload
// moves as the plant without one does under the torques that its accelerations take.
class FaultyPlant : public PlantFault {
 public:
  FaultyPlant(const Robot& plant, const Fault& f)
      : plant_(plant),
        loaded_(f.kind == FaultKind::payload
                    ? plant.with_payload(plant.link_names()[static_cast<std::size_t>(f.link)],
                                         f.size, f.point)
                    : plant),
        fault_(f),
        kinematics_(plant),
        workspace_(plant),
        loaded_workspace_(loaded_),
        n_(static_cast<std::size_t>(plant.nv())),
        a_(n_),
        applied_(n_),
        J_(6 * n_) {}

  void begin(double t) override {
    const double slack = 1e-12 * std::max(1.0, t);
    active_ = t >= fault_.start - slack && t < fault_.end - slack;
    next_ = t < fault_.start - slack ? fault_.start
            : t < fault_.end - slack ? fault_.end
                                     : std::numeric_limits<double>::infinity();
  }
  double next_break() const override { return next_; }
  void change(std::span<const double> q, std::span<const double> v,
              std::span<double> tau) override {
    if (!active_) return;
    switch (fault_.kind) {
      case FaultKind::loss:
        tau[static_cast<std::size_t>(fault_.coordinate)] *= 1 - fault_.size;
        return;
      case FaultKind::payload:
        std::copy(tau.begin(), tau.end(), applied_.begin());
        forward_dynamics(loaded_, loaded_workspace_, q, v, applied_, a_);
        inverse_dynamics(plant_, workspace_, q, v, a_, tau);
        return;
      case FaultKind::collision:
        kinematics_.set(q);
        kinematics_.jacobian(fault_.link, J_, fault_.point);
        for (std::size_t k = 0; k < n_; ++k)
          for (std::size_t axis = 0; axis < 3; ++axis)
            tau[k] += J_[axis * n_ + k] * fault_.force[axis];
        return;
    }
  }

 private:
  Robot plant_, loaded_;
  Fault fault_;
  Kinematics kinematics_;
  Workspace workspace_, loaded_workspace_;
  std::size_t n_;
  std::vector<double> a_, applied_, J_;
  bool active_ = false;
  double next_ = 0;
};

// Residuals of one run, period by period.
struct Residuals {
  ControlResult control;
  std::vector<double> t, r;
};

Residuals observed(const Robot& plant, const LawDesign& design, const TrajectoryPointer& motion,
                   ControlOptions o, const std::optional<Fault>& fault, double gain) {
  Residuals out;
  const auto n = static_cast<std::size_t>(plant.nv());
  MomentumObserver observer(design.model, gain);
  Workspace workspace(design.model);
  std::vector<double> with(n), without(n), rigid(n);
  const double period = 1 / o.rate;
  bool first = true;
  o.observe = [&](double t, std::span<const double> q, std::span<const double> v,
                  std::span<const double> tau) {
    std::copy(tau.begin(), tau.end(), rigid.begin());
    // Friction that the controller compensates is known, and no fault.
    if (o.compensate_friction) {
      const std::vector<double> still(n);
      inverse_dynamics_with_friction(design.model, workspace, q, v, still, with);
      inverse_dynamics(design.model, workspace, q, v, still, without);
      for (std::size_t k = 0; k < n; ++k) rigid[k] -= with[k] - without[k];
    }
    if (first) observer.reset(q, v);
    const std::span<const double> r =
        first ? observer.estimate() : observer.update(period, q, v, rigid);
    first = false;
    out.t.push_back(t);
    out.r.insert(out.r.end(), r.begin(), r.end());
  };
  if (fault) o.fault = std::make_shared<FaultyPlant>(plant, *fault);
  out.control = ControlLoop(plant, design, motion, o).run();
  return out;
}

}  // namespace

const char* name_of(FaultKind k) { return fault_names[static_cast<std::size_t>(k)]; }

Fault parse_fault(const Robot& plant, const std::string& text) {
  Fault f;
  f.text = text;
  const std::size_t colon = text.find(':'), sign = text.find('=', colon == text.npos ? 0 : colon),
                    at = text.rfind('@');
  const std::string kind = text.substr(0, colon);
  const std::vector<std::string> kinds(std::begin(fault_names), std::end(fault_names));
  const auto which = std::find(kinds.begin(), kinds.end(), kind);
  if (which == kinds.end())
    refuse_fault(text, fmt::format("unknown kind '{}'", kind),
                 did_you_mean(kind, kinds) + fmt::format("choose from {}", fmt::join(kinds, ", ")));
  f.kind = static_cast<FaultKind>(which - kinds.begin());
  const std::string where_example =
      f.kind == FaultKind::loss ? plant.velocity_names().front() : plant.tip();
  const std::string example =
      "such as " +
      fmt::format(fmt::runtime(fault_examples[static_cast<std::size_t>(f.kind)]), where_example);
  if (sign == text.npos || at == text.npos || at < sign)
    refuse_fault(text, "it has not the form KIND:WHERE=NUMBERS@START", "give one " + example);
  const std::string where = text.substr(colon + 1, sign - colon - 1);
  const std::vector<double> x =
      fault_numbers(text, std::string_view(text).substr(sign + 1, at - sign - 1));
  std::string when = text.substr(at + 1);
  if (const std::size_t plus = when.find('+', 1); plus != when.npos) {
    f.end = fault_number(text, std::string_view(when).substr(plus + 1));
    if (!(f.end > 0)) refuse_fault(text, "its duration is not above zero", "give one " + example);
    when = when.substr(0, plus);
  }
  f.start = fault_number(text, when);
  if (!(f.start >= 0)) refuse_fault(text, "it starts before 0 s", "give one " + example);
  f.end += f.start;
  if (f.kind == FaultKind::loss) {
    const auto& names = plant.velocity_names();
    const auto found = std::find(names.begin(), names.end(), where);
    if (found == names.end())
      refuse_fault(
          text, fmt::format("there is no joint '{}'", where),
          did_you_mean(where, names) + fmt::format("choose from {}", fmt::join(names, ", ")));
    f.coordinate = static_cast<int>(found - names.begin());
    if (x.size() != 1 || !(x[0] > 0) || !(x[0] <= 1))
      refuse_fault(text, "its share is not above 0 and at most 1", "give one " + example);
    f.size = x[0];
    return f;
  }
  try {
    f.link = plant.find_link(where);
  } catch (const Error& e) {
    refuse_fault(text, e.what(), "give one " + example);
  }
  const std::size_t before = f.kind == FaultKind::payload ? 1 : 3;
  if (x.size() != before && x.size() != before + 3)
    refuse_fault(text,
                 fmt::format("it has {} numbers instead of {} or {}", x.size(), before, before + 3),
                 "give one " + example);
  if (f.kind == FaultKind::payload) {
    f.size = x[0];
    if (!(f.size > 0)) refuse_fault(text, "its mass is not above zero", "give one " + example);
  } else {
    std::copy_n(x.begin(), 3, f.force.begin());
    if (std::all_of(f.force.begin(), f.force.end(), [](double y) { return y == 0; }))
      refuse_fault(text, "its force is zero", "give one " + example);
  }
  if (x.size() > before)
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(before), 3, f.point.begin());
  return f;
}

FaultDetection detect_fault(const Robot& plant, const LawDesign& design,
                            const TrajectoryPointer& motion, const ControlOptions& o,
                            const std::optional<Fault>& fault, const ObserverDesign& by) {
  const auto n = static_cast<std::size_t>(plant.nv());
  if (fault && fault->kind == FaultKind::payload && o.friction)
    throw Error(
        "payload faults are not supported for a robot with friction, whose bearings would carry "
        "the payload; leave out the friction");
  if (!(by.margin > 1) || !std::isfinite(by.margin))
    throw Error(fmt::format("the margin is {}; give a factor above 1, such as 1.5", by.margin));
  FaultDetection d;
  d.threshold = by.threshold;
  if (d.threshold.size() == 1) d.threshold.assign(n, d.threshold.front());
  if (!d.threshold.empty() && d.threshold.size() != n)
    throw Error(fmt::format("the threshold has {} numbers; '{}' needs {}, or one for all joints",
                            d.threshold.size(), plant.name(), n));
  for (const double x : d.threshold) require_above_zero("threshold", x, "5");
  if (d.threshold.empty()) {
    ControlOptions healthy = o;
    healthy.seed = o.seed + 1;
    const Residuals r = observed(plant, design, motion, healthy, {}, by.gain);
    d.threshold.assign(n, 0);
    for (std::size_t k = 0; k < r.r.size(); ++k)
      d.threshold[k % n] = std::max(d.threshold[k % n], by.margin * std::abs(r.r[k]));
    // A joint that nothing disturbs has rounding alone: a thousandth of the others' is its least.
    const double largest = *std::max_element(d.threshold.begin(), d.threshold.end());
    for (double& x : d.threshold) x = std::max({x, 1e-3 * largest, 1e-9});
  }
  Residuals r = observed(plant, design, motion, o, fault, by.gain);
  d.peak.assign(n, 0);
  const double start = fault ? fault->start : 0;
  for (std::size_t row = 0; row < r.t.size(); ++row) {
    // The period that begins with the fault has seen nothing of it.
    const bool since = r.t[row] > start * (1 + 1e-12);
    double most = 0;
    int whose = -1;
    for (std::size_t k = 0; k < n; ++k) {
      const double x = std::abs(r.r[row * n + k]);
      if (since || !fault) d.peak[k] = std::max(d.peak[k], x);
      if (const double share = x / d.threshold[k]; share > 1 && share > most) {
        most = share;
        whose = static_cast<int>(k);
      }
    }
    if (whose < 0) continue;
    if (fault && since && !d.detected_at) {
      d.detected_at = r.t[row];
      d.delay = r.t[row] - start;
      d.coordinate = whose;
    }
    d.false_alarms += !fault || !since;
  }
  for (std::size_t k = 0; k < n && fault; ++k)
    if (d.peak[k] > d.threshold[k]) d.outermost = static_cast<int>(k);
  d.control = std::move(r.control);
  d.t = std::move(r.t);
  d.residual = std::move(r.r);
  return d;
}

}  // namespace parid::control
