// From a robot and options to the program of its controller core: inverse kinematics on CORDIC
// modules, filters, law, dynamics and limits, with the word format of each signal.

#include "hardware/controller/core_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "codegen/trace/generate.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/ik_hardware.hpp"

namespace parid::hardware {
namespace {

// Positions may be measured slightly outside of the limits.
constexpr double beyond_limits = 0.0625;

// The format with the most fraction bits that holds |x| ≤ size.
FixedFormat format_holding(double size, int word) {
  const int integer = std::max(size > 0 ? std::ilogb(size) + 1 : -word, -word);
  return {word, word - 1 - integer};
}

// A bound of the errors of a graph's outputs that come from errors of its inputs.
std::vector<double> carried_error(const FixedGraph& f, const std::map<std::string, double>& in) {
  const Graph& g = f.graph;
  std::vector<double> x(g.size(), 0);
  for (const Named& input : g.inputs())
    if (const auto at = in.find(input.name); at != in.end()) x[input.id] = at->second;
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    const Id a = n.in[0], b = n.in[1];
    switch (n.op) {
      case Op::add:
      case Op::sub: x[id] = x[a] + x[b]; break;
      case Op::mul:
        x[id] = (f.range[a].size() + f.error[a]) * x[b] + (f.range[b].size() + f.error[b]) * x[a] +
                x[a] * x[b];
        break;
      case Op::neg:
      case Op::sin:
      case Op::cos: x[id] = x[a]; break;
      default: break;
    }
  }
  std::vector<double> out;
  for (const Named& o : g.outputs()) out.push_back(x[o.id]);
  return out;
}

class CoreBuilder {
 public:
  CoreBuilder(ControllerCore& core, const std::optional<IkArm>& arm)
      : core_(core), p_(core.program), arm_(arm), o_(core.options), n_(core.n()) {}

  void build() {
    p_.word = o_.word;
    dynamics();
    for (std::size_t j = 0; j < n_; ++j) p_.measured.push_back(position_[j]);
    gains();
    setpoints();
    measurement();
    filters();
    law();
    torques();
  }

 private:
  using Operands = std::vector<CoreOperand>;

  Range position_range(std::size_t j) const {
    return {core_.joints[j].lower - beyond_limits, core_.joints[j].upper + beyond_limits};
  }
  double span() const { return o_.window * core_.period(); }

  // The graph of inverse dynamics (for pd+gravity of gravity) in fixed point. Its input formats
  // are those of measured positions.
  void dynamics() {
    const Quantity which = o_.law == "pd+gravity" ? Quantity::gravity : Quantity::inverse_dynamics;
    const Graph g = generate(core_.robot, which).program.graph;
    std::vector<Range> ranges;
    for (const Named& in : g.inputs()) {
      const auto j = static_cast<std::size_t>(std::stoi(in.name.substr(1))) - 1;
      const double v = core_.joints[j].velocity, a = o_.acceleration;
      ranges.push_back(in.name.front() == 'q'   ? position_range(j)
                       : in.name.front() == 'v' ? Range{-v, v}
                                                : Range{-a, a});
    }
    dynamics_ = fixed_graph(g, ranges, o_.word);
    p_.sin_cos = dynamics_.sin_cos;
    if (o_.law != "pd") core_.dynamics = g;
    position_.resize(n_);
    for (std::size_t j = 0; j < n_; ++j)
      position_[j] = format_holding(position_range(j).size(), o_.word);
    for (const Named& in : g.inputs())
      if (in.name.front() == 'q')
        position_[static_cast<std::size_t>(std::stoi(in.name.substr(1))) - 1] =
            dynamics_.format[in.id];
  }

  // ---- registers

  int add_register(const std::string& name, const std::string& meaning, unsigned address,
                   FixedFormat f, double initial, double largest) {
    p_.bank.push_back({name, meaning, address, f, f.raw(initial), f.raw(largest)});
    return static_cast<int>(p_.bank.size()) - 1;
  }
  void gains() {
    for (std::size_t j = 0; j < n_; ++j) {
      CoreJoint& joint = core_.joints[j];
      const auto at = static_cast<unsigned>(4 * j);
      // Twice the initial gain, up to the next power of two, so that no bit is lost.
      const auto largest = [](double x) {
        return std::exp2(std::ceil(std::log2(x > 0 ? 2 * x : 1.0))) * (1 - 1e-6);
      };
      joint.largest_kp = largest(o_.gains.kp[j]);
      joint.largest_kd = largest(o_.gains.kd[j]);
      const FixedFormat fp = format_holding(joint.largest_kp, o_.word),
                        fd = format_holding(joint.largest_kd, o_.word);
      kp_.push_back(add_register(fmt::format("kp{}", j + 1),
                                 fmt::format("position gain of '{}'", joint.name), 0x100 + at, fp,
                                 o_.gains.kp[j], joint.largest_kp));
      kd_.push_back(add_register(fmt::format("kd{}", j + 1),
                                 fmt::format("velocity gain of '{}'", joint.name), 0x200 + at, fd,
                                 o_.gains.kd[j], joint.largest_kd));
      joint.kp = fp.value(p_.bank[static_cast<std::size_t>(kp_[j])].initial);
      joint.kd = fd.value(p_.bank[static_cast<std::size_t>(kd_[j])].initial);
    }
  }

  // ---- operations

  // a ± b between low and high, in the given format.
  CoreOperand limit(const CoreOperand& a, const std::optional<CoreOperand>& b, Op op,
                    FixedFormat out, Raw low, Raw high, CoreFlag flag, const std::string& name) {
    CoreOperation l;
    l.unit = CoreUnit::limiter;
    l.op = op;
    l.in = {a};
    if (b) l.in.push_back(*b);
    l.out = out;
    l.low = low;
    l.high = high;
    l.flag = flag;
    l.name = name;
    return p_.append(std::move(l));
  }
  CoreOperand difference(const CoreOperand& a, const CoreOperand& b, FixedFormat out, double most,
                         const std::string& name) {
    const Raw high = std::min(out.raw(most), out.largest());
    return limit(a, b, Op::sub, out, -high, high, CoreFlag::limited, name);
  }
  CoreOperand converted(const CoreOperand& a, FixedFormat out, const std::string& name) {
    if (a.format == out) return a;
    return limit(a, {}, Op::add, out, -out.largest() - 1, out.largest(), CoreFlag::none, name);
  }
  CoreOperand earlier(const CoreOperand& a, const std::string& name) {
    CoreOperation h;
    h.unit = CoreUnit::history;
    h.in = {a};
    h.out = a.format;
    h.samples = o_.window;
    h.name = name;
    return p_.append(std::move(h));
  }

  // The operations of a graph in fixed point; `input` gives the operands of its inputs.
  Operands append(const FixedGraph& f, const std::map<std::string, CoreOperand>& input) {
    const Graph& g = f.graph;
    std::vector<CoreOperand> at(g.size());
    std::map<Id, int> sine;  // by angle
    for (Id id = 0; id < g.size(); ++id) {
      const Node& n = g[id];
      const FixedFormat format = f.format[id];
      switch (n.op) {
        case Op::constant: at[id] = CoreOperand::of_constant(f.constant[id], format); break;
        case Op::input: {
          const auto found = input.find(g.inputs()[n.in[0]].name);
          if (found != input.end()) at[id] = converted(found->second, format, found->first);
          break;
        }
        case Op::sin:
        case Op::cos: {
          const auto [place, fresh] =
              sine.try_emplace(n.in[0], static_cast<int>(p_.operations.size()));
          if (fresh) {
            CoreOperation s;
            s.unit = CoreUnit::sine;
            s.in = {at[n.in[0]]};
            s.out = f.sin_cos.result();
            p_.operations.push_back(std::move(s));
          }
          at[id] = CoreOperand::of_signal(
              p_.result(place->second, n.op == Op::sin ? 0 : 1, f.sin_cos.result()),
              f.sin_cos.result());
          break;
        }
        default: {
          CoreOperation o;
          o.unit = n.op == Op::mul ? CoreUnit::multiplier : CoreUnit::adder;
          o.op = n.op == Op::neg ? Op::sub : n.op;
          o.out = format;
          if (n.op == Op::neg)
            o.in = {CoreOperand::of_constant(0, at[n.in[0]].format), at[n.in[0]]};
          else
            o.in = {at[n.in[0]], at[n.in[1]]};
          at[id] = p_.append(std::move(o));
        }
      }
    }
    Operands out;
    for (const Named& o : g.outputs()) out.push_back(at[o.id]);
    return out;
  }

  // ---- parts

  int stream_word(const std::string& name, FixedFormat f) {
    const int s = static_cast<int>(p_.signals.size());
    p_.signals.push_back({-1, static_cast<int>(p_.setpoint.size()), f, name});
    p_.setpoint.push_back(s);
    core_.setpoint_names.push_back(name);
    core_.setpoint_format.push_back(f);
    return s;
  }

  void setpoints() {
    Operands raw(n_);
    std::vector<bool> by_pose(n_, false);
    if (arm_) inverse_kinematics(raw, by_pose);
    for (std::size_t j = 0; j < n_; ++j) {
      if (!by_pose[j])
        raw[j] =
            CoreOperand::of_signal(stream_word(core_.joints[j].name, position_[j]), position_[j]);
      const FixedFormat f = position_[j];
      p_.reference.push_back(limit(raw[j], {}, Op::add, f, f.raw(core_.joints[j].lower),
                                   f.raw(core_.joints[j].upper), CoreFlag::unreachable,
                                   fmt::format("r{}", j + 1)));
    }
  }

  void inverse_kinematics(Operands& raw, std::vector<bool>& by_pose) {
    const IkHardware h = ik_hardware(*arm_, o_.arrangement);
    const FixedFormat f = ik_format(*arm_, o_.word);
    p_.cordic = cordic_fixed(f, o_.guard);
    const BoxDesign& d = h.design;
    std::vector<CoreOperand> at(d.signals.size());
    std::vector<unsigned> sign_bit(d.signals.size(), 0);
    for (const int s : d.inputs()) {
      const BoxDesign::Signal& in = d.signals[static_cast<std::size_t>(s)];
      const auto where = static_cast<std::size_t>(s);
      if (in.sign) {
        const auto k = std::find(codegen::ik_signs.begin(), codegen::ik_signs.end(), in.name) -
                       codegen::ik_signs.begin();
        sign_bit[where] = 1U << static_cast<unsigned>(k);
        continue;
      }
      at[where] = CoreOperand::of_signal(stream_word(in.name, f), f);
      if (!(in.offset == 0))
        at[where] = limit(at[where], CoreOperand::of_constant(word_of(f, in.offset), f), Op::add, f,
                          -f.largest() - 1, f.largest(), CoreFlag::unreachable, in.name);
    }
    const auto operand = [&](const BoxOperand& b) {
      CoreOperand o = b.is_constant() ? CoreOperand::of_constant(word_of(f, b.constant), f)
                                      : at[static_cast<std::size_t>(b.signal)];
      o.negated = b.negated;
      for (const int s : b.signs) o.signs ^= sign_bit[static_cast<std::size_t>(s)];
      return o;
    };
    core_.pose_words = p_.setpoint.size();
    for (std::size_t b = 0; b < d.boxes.size(); ++b) {
      const BoxUse& use = d.boxes[b];
      CoreOperation o;
      o.unit = unit_of(use.box);
      o.in = {operand(use.x), operand(use.y), operand(use.z)};
      o.out = f;
      p_.operations.push_back(std::move(o));
      const int index = static_cast<int>(p_.operations.size()) - 1;
      for (std::size_t s = 0; s < d.signals.size(); ++s)
        if (d.signals[s].box == static_cast<int>(b))
          at[s] = CoreOperand::of_signal(
              p_.result(index, d.signals[s].port - 'x', f, d.signals[s].name), f);
      // A root of a number that is not positive is zero: the pose is out of reach.
      if (use.box == Box::hype2)
        limit(CoreOperand::of_signal(p_.result(index, 0, f), f), {}, Op::add, f, 1, f.largest(),
              CoreFlag::unreachable, "reach");
    }
    for (std::size_t k = 0; k < d.outputs.size(); ++k) {
      const BoxDesign::Output& out = d.outputs[k];
      const auto j = static_cast<std::size_t>(arm_->form.coordinate[k]);
      CoreOperand x = operand(out.value);
      if (out.wraps) {
        const OutputTurns turns(out);
        CoreOperation t;
        t.unit = CoreUnit::turner;
        t.in = {x};
        t.out = f;
        t.offset = word_of(f, turns.offset);
        t.middle = word_of(f, out.middle);
        t.turn = word_of(f, turns.turn);
        t.half = word_of(f, turns.half);
        t.name = out.name;
        x = p_.append(std::move(t));
      } else if (!(out.offset == 0)) {
        x = limit(x, CoreOperand::of_constant(word_of(f, out.offset), f), Op::add, f,
                  -f.largest() - 1, f.largest(), CoreFlag::unreachable, out.name);
      }
      raw[j] = x;
      by_pose[j] = true;
    }
    const IkAccuracy accuracy = ik_accuracy(*arm_, d, *p_.cordic, 500);
    core_.pose_error = accuracy.position;
    core_.orientation_error = accuracy.orientation;
  }

  void measurement() {
    CoreOperation m;
    m.unit = CoreUnit::measure;
    m.name = "measured";
    p_.operations.push_back(std::move(m));
    const int op = static_cast<int>(p_.operations.size()) - 1;
    for (std::size_t j = 0; j < n_; ++j) {
      const FixedFormat f = position_[j];
      const CoreOperand raw = CoreOperand::of_signal(
          p_.result(op, static_cast<int>(j), f, fmt::format("measured{}", j + 1)), f);
      const Range r = position_range(j);
      q_.push_back(limit(raw, {}, Op::add, f, f.raw(r.low), f.raw(r.high), CoreFlag::limited,
                         fmt::format("q{}", j + 1)));
    }
  }

  // Differences, limited to the ranges of the law's inputs.
  void filters() {
    trace_law();
    const auto format = [&](const std::string& name) {
      for (const Named& in : law_.graph.inputs())
        if (in.name == name) return law_.format[in.id];
      return FixedFormat{};
    };
    const auto add = [&](const std::string& name, const CoreOperand& a, const CoreOperand& b,
                         double most) {
      input_[name] = difference(a, b, format(name), most, name);
    };
    for (std::size_t j = 0; j < n_; ++j) {
      const auto name = [j](const char* what) { return fmt::format("{}{}", what, j + 1); };
      const CoreJoint& joint = core_.joints[j];
      const CoreOperand middle = earlier(p_.reference[j], name("qd"));
      middle_.push_back(middle);
      add(name("later"), p_.reference[j], middle, joint.velocity * span());
      input_[name("before")] = earlier(input_.at(name("later")), name("before"));
      if (uses_acceleration())
        add(name("bend"), input_.at(name("later")), input_.at(name("before")),
            o_.acceleration * span() * span());
      add(name("moved"), q_[j], earlier(q_[j], name("old")), joint.velocity * span());
      add(name("e"), middle, q_[j], o_.error);
      input_[name("kp")] =
          CoreOperand::of_register(kp_[j], p_.bank[static_cast<std::size_t>(kp_[j])].format);
      input_[name("kd")] =
          CoreOperand::of_register(kd_[j], p_.bank[static_cast<std::size_t>(kd_[j])].format);
    }
  }
  bool computed() const { return o_.law == "computed_torque"; }
  bool feedforward() const { return o_.law == "pd+feedforward"; }
  bool uses_acceleration() const { return computed() || feedforward(); }

  // The law between the differences and the dynamics, as a graph in fixed point.
  void trace_law() {
    Graph g;
    std::vector<Range> ranges;
    const Expr per_span(1 / span()), per_two(1 / (2 * span())), per_square(1 / (span() * span()));
    for (std::size_t j = 0; j < n_; ++j) {
      const CoreJoint& joint = core_.joints[j];
      const auto in = [&](const char* what, double low, double high) {
        ranges.push_back({low, high});
        return input(g, fmt::format("{}{}", what, j + 1));
      };
      const auto out = [&](const char* what, const Expr& x) {
        output(g, fmt::format("{}{}", what, j + 1), x);
      };
      const double far = joint.velocity * span(), bend = o_.acceleration * span() * span();
      const Expr later = in("later", -far, far), before = in("before", -far, far),
                 moved = in("moved", -far, far), e = in("e", -o_.error, o_.error),
                 kp = in("kp", 0, joint.largest_kp), kd = in("kd", 0, joint.largest_kd);
      const Expr v = moved * per_span, v_d = (later + before) * per_two;
      const Expr correction = kp * e + kd * (v_d - v);
      if (uses_acceleration()) {
        const Expr a_d = in("bend", -bend, bend) * per_square;
        out("a", computed() ? a_d + correction : a_d);
        out("v", computed() ? v : v_d);
      }
      if (!computed()) out("p", correction);
    }
    // All inputs come first, in the order of `ranges`; nothing else is rearranged.
    const Graph lean = live(g);
    std::map<std::string, Range> by_name;
    for (std::size_t k = 0; k < g.inputs().size(); ++k) by_name[g.inputs()[k].name] = ranges[k];
    std::vector<Range> ordered;
    for (const Named& in : lean.inputs()) ordered.push_back(by_name.at(in.name));
    law_ = fixed_graph(lean, ordered, o_.word);
  }

  void law() {
    const Operands out = append(law_, input_);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::string& name = law_.graph.outputs()[k].name;
      outcome_[name] = out[k];
      outcome_error_[name] = law_.error[law_.graph.outputs()[k].id];
    }
  }

  void torques() {
    Operands model(n_);
    std::vector<double> error(n_, 0);
    if (o_.law != "pd") {
      std::map<std::string, CoreOperand> in;
      std::map<std::string, double> in_error;
      for (const Named& input : dynamics_.graph.inputs()) {
        const auto j = static_cast<std::size_t>(std::stoi(input.name.substr(1))) - 1;
        const FixedFormat f = dynamics_.format[input.id];
        const double ulp = f.ulp();
        if (input.name.front() == 'q') {
          in[input.name] = feedforward() ? middle_[j] : q_[j];
          continue;
        }
        // Rounded to the format of the dynamics, within its range.
        const double most = input.name.front() == 'v' ? core_.joints[j].velocity : o_.acceleration;
        const Raw high = f.raw(most);
        const std::string name = fmt::format("{}{}", input.name.front(), j + 1);
        in[input.name] =
            limit(outcome_.at(name), {}, Op::add, f, -high, high,
                  input.name.front() == 'a' ? CoreFlag::limited : CoreFlag::none, "model_" + name);
        in_error[input.name] = outcome_error_.at(name) + ulp / 2;
      }
      model = append(dynamics_, in);
      const std::vector<double> carried = carried_error(dynamics_, in_error);
      for (std::size_t j = 0; j < n_; ++j)
        error[j] = dynamics_.error[dynamics_.graph.outputs()[j].id] + carried[j];
    }
    for (std::size_t j = 0; j < n_; ++j) {
      CoreJoint& joint = core_.joints[j];
      double most = 0;  // of the torque before it is limited
      if (o_.law != "pd")
        most += dynamics_.range[dynamics_.graph.outputs()[j].id].size() + error[j];
      if (!computed()) {
        for (const Named& o : law_.graph.outputs())
          if (o.name == fmt::format("p{}", j + 1)) most += law_.range[o.id].size();
        error[j] += outcome_error_.at(fmt::format("p{}", j + 1));
      }
      if (!std::isfinite(joint.effort) || joint.effort <= 0) joint.effort = std::max(most, 1e-6);
      const FixedFormat f = format_holding(joint.effort * (1 + 1e-9), o_.word);
      const int reg = add_register(
          fmt::format("limit{}", j + 1), fmt::format("torque limit of '{}'", joint.name),
          0x300 + static_cast<unsigned>(4 * j), f, joint.effort, f.value(f.largest()));
      CoreOperation l;
      l.unit = CoreUnit::limiter;
      if (o_.law != "pd") l.in.push_back(model[j]);
      if (!computed()) l.in.push_back(outcome_.at(fmt::format("p{}", j + 1)));
      l.out = f;
      l.limit = reg;
      l.flag = CoreFlag::saturated;
      l.name = fmt::format("tau{}", j + 1);
      joint.effort = f.value(p_.bank[static_cast<std::size_t>(reg)].initial);
      error[j] += f.ulp() / 2;
      p_.torque.push_back(p_.append(std::move(l)));
      core_.torque_bounds.push_back(error[j]);
      core_.torque_bound = std::max(core_.torque_bound, error[j]);
    }
  }

  ControllerCore& core_;
  CoreProgram& p_;
  const std::optional<IkArm>& arm_;
  const CoreOptions& o_;
  std::size_t n_;
  FixedGraph dynamics_ = fixed_graph(Graph(), {}, 32), law_ = dynamics_;
  std::vector<FixedFormat> position_;
  std::vector<int> kp_, kd_;  // registers
  Operands q_, middle_;
  std::map<std::string, CoreOperand> input_, outcome_;
  std::map<std::string, double> outcome_error_;
};

}  // namespace

void build_core(ControllerCore& core, const std::optional<IkArm>& arm) {
  CoreBuilder(core, arm).build();
}

}  // namespace parid::hardware
