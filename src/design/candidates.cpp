#include "design/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "codegen/trace/generate.hpp"
#include "control/policy.hpp"
#include "hardware/array_hardware.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"
#include "parid/systolic_array.hpp"
#include "runtime/cost/cost.hpp"

namespace parid::design {
namespace {

// Random policies have no static schedule; a delay or linear extrapolation never pays here.
constexpr const char* usual_policies[] = {"exact",    "binder_herzog",  "binder_herzog_mixed",
                                          "buffered", "hamilton_boxes", "hamilton"};
// As the papers count, on machines of their time.
constexpr const char* papers_formulations[] = {"uicker_kahn", "waters", "hollerbach4",
                                               "hollerbach3", "newton_euler_link"};

bool of_a_paper(const std::string& id) { return id.starts_with("paper-"); }

OperationCounts public_counts(const Counts& c) {
  return {c.multiplications, c.additions, c.divisions, c.square_roots, c.sin_cos, c.atan2};
}

Gains unit_gains(const Robot& model) {
  const std::vector<double> one(static_cast<std::size_t>(model.nv()), 1.0);
  return {one, one};
}

// Multipliers of the device for one product of `word` bits.
long multipliers_per_product(const Target& t, int word) {
  const auto parts = [&](int bits) { return (word - 1 + bits - 2) / (bits - 1); };
  return t.multiplier_bits[0] > 1
             ? static_cast<long>(parts(t.multiplier_bits[0])) * parts(t.multiplier_bits[1])
             : 0;
}

class Enumeration {
 public:
  Enumeration(const Robot& model, const DesignOptions& o) : model_(model), o_(o) {
    for (const std::string& id : o.policies) policies_.push_back(id);
    if (policies_.empty()) policies_.assign(std::begin(usual_policies), std::end(usual_policies));
    for (const std::string& id : policies_)
      if (control::policy(id).by_chance)
        throw Error(
            fmt::format("{}: its ages are random, so it has no static schedule; see "
                        "`parid stability` for its safe periods",
                        id));
  }

  std::vector<Candidate> all() {
    std::vector<std::string> asked = o_.targets;
    if (asked.empty())
      for (const EmbeddedTarget& t : embedded_targets())
        if (!of_a_paper(t.name)) asked.push_back(t.name);
    for (std::size_t k = 0; k < asked.size(); ++k)
      if (asked[k] == "papers") {
        asked.erase(asked.begin() + static_cast<std::ptrdiff_t>(k));
        for (const EmbeddedTarget& t : embedded_targets())
          if (of_a_paper(t.name)) asked.push_back(t.name);
      }
    for (const std::string& text : asked) {
      const AskedTarget t = asked_target(text);
      switch (t.target.kind) {
        case TargetKind::processors: processors(t); break;
        case TargetKind::fpga: machines(t.target); break;
        case TargetKind::array: arrays(t.target); break;
        case TargetKind::pipeline: pipeline(t.target); break;
      }
    }
    return std::move(found_);
  }

 private:
  Candidate& add(const Target& t, const std::string& method, const std::string& policy,
                 const std::string& id) {
    Candidate c;
    c.target = t;
    c.public_.id = id;
    c.public_.target = t.id;
    c.public_.method = method;
    c.public_.policy = policy;
    c.public_.formulation = "generated";
    c.public_.word = t.word == WordType::float32 ? "float32" : "float64";
    c.public_.jitter = t.jitter;
    c.public_.price = t.price;
    c.public_.power = t.power;
    found_.push_back(std::move(c));
    return found_.back();
  }

  // ---- processors

  void processors(const AskedTarget& t) {
    std::vector<int> counts = o_.processors;
    if (t.processors) counts = {*t.processors};
    for (const int p : counts) {
      if (t.target.most_processors && p > *t.target.most_processors) continue;
      if (p == 1) {
        one(t.target);
      } else {
        for (const std::string& policy : policies_) {
          if (policy == "exact") scheduled(t.target, p);
          links(t.target, p, policy);
        }
      }
    }
  }

  bool has_exact() const {
    return std::find(policies_.begin(), policies_.end(), "exact") != policies_.end();
  }

  void one(const Target& t) {
    if (!has_exact()) return;
    std::vector<std::string> formulations = o_.formulations;
    if (formulations.empty()) {
      if (t.as_written)
        formulations.assign(std::begin(papers_formulations), std::end(papers_formulations));
      else
        formulations = {"generated"};
    }
    for (const std::string& f : formulations) {
      Candidate& c = add(t, "program", "exact", f == "generated" ? t.id : t.id + ", " + f);
      c.public_.formulation = f;
      if (f == "generated") {
        if (!exact_) exact_ = exact_step(model_, unit_gains(model_));
        take(c, *exact_, step_timing(*exact_, t));
        continue;
      }
      try {
        const Counts count = formulation_count(f, t.as_written);
        c.public_.operations = public_counts(count);
        time(c, t.seconds_of(count) + t.overhead);
        memory(c, count);
      } catch (const Error& e) {
        c.public_.refused = e.what();
      }
      devices(c, 1);
    }
  }
  // With the outer loop: two products and three sums for every coordinate.
  Counts formulation_count(const std::string& id, bool as_written) {
    // Without the program, if the count as written is all that is needed.
    const runtime::FormulationCost cost =
        runtime::cost(id, model_, {.limit = as_written ? 1 : runtime::CostOptions{}.limit});
    Counts c;
    if (as_written) {
      c.multiplications = cost.as_written.multiplications;
      c.additions = cost.as_written.additions;
      c.divisions = cost.as_written.divisions;
      c.sin_cos = cost.as_written.sin_cos;
    } else if (cost.customised) {
      c = *cost.customised;
    } else {
      throw Error(fmt::format("{}: {}", id, cost.why_not_traced));
    }
    c.multiplications += 2L * model_.nv();
    c.additions += 4L * model_.nv();
    return c;
  }

  void scheduled(const Target& t, int p) {
    std::optional<StepProgram> best;
    StepTiming best_time;
    for (const int grain : schedule_grains) {
      StepProgram program = scheduled_step(
          model_, unit_gains(model_),
          {p, grain, t.time.add, t.time.multiply, t.time.sine, t.message_start, t.message_word});
      const StepTiming timing = step_timing(program, t);
      if (best && timing.time >= best_time.time) continue;
      best = std::move(program);
      best_time = timing;
    }
    Candidate& c = add(t, "schedule", "exact", fmt::format("{}x {}, schedule", p, t.id));
    take(c, *best, best_time);
  }

  void links(const Target& t, int p, const std::string& policy) {
    if (model_.canonical().has_mimic || p > 2 * model_.canonical().topology.n) return;
    auto& programs = links_[{policy, p}];
    if (programs.empty())
      for (const std::vector<int>& blocks :
           block_assignments(model_, control::bound(control::policy(policy), model_), p))
        programs.emplace_back(
            blocks, policy_step(model_, unit_gains(model_), control::policy(policy), blocks));
    std::optional<StepTiming> best;
    std::size_t which = 0;
    for (std::size_t k = 0; k < programs.size(); ++k) {
      const StepTiming timing = step_timing(programs[k].second, t);
      if (best && timing.time >= best->time) continue;
      best = timing;
      which = k;
    }
    Candidate& c = add(t, "links", policy, fmt::format("{}x {}, {}", p, t.id, policy));
    c.public_.blocks = programs[which].first;
    take(c, programs[which].second, *best);
  }

  void take(Candidate& c, const StepProgram& program, const StepTiming& timing) {
    c.public_.processors = static_cast<int>(program.processors.size());
    c.public_.operations = public_counts(program.count());
    c.public_.messages = static_cast<int>(program.messages.size());
    c.public_.message_words = program.words();
    c.public_.oldest = program.oldest();
    for (int k = 0; k < c.public_.processors; ++k) c.public_.kept += program.kept(k);
    time(c, timing.time);
    Counts fullest;
    for (const StepProcessor& p : program.processors) {
      Counts sum;
      for (const StepSection& s : p.sections) {
        sum.multiplications += s.count.multiplications;
        sum.additions += s.count.additions;
        sum.sin_cos += s.count.sin_cos;
      }
      if (sum.multiplications + sum.additions > fullest.multiplications + fullest.additions)
        fullest = sum;
    }
    memory(c, fullest);
    devices(c, c.public_.processors);
  }
  static void time(Candidate& c, double seconds) {
    c.public_.step_time = c.public_.shortest_period = seconds;
  }
  static void memory(Candidate& c, const Counts& count) {
    if (!c.target.bytes_per_operation) return;
    // A sine with its cosine is a call; the function is there once.
    const double code = *c.target.bytes_per_operation *
                        static_cast<double>(count.multiplications + count.additions + 25);
    c.public_.code = code;
    if (c.target.program_memory && code > static_cast<double>(*c.target.program_memory))
      c.public_.refused = fmt::format("its program takes about {:.0f} bytes; there are {}", code,
                                      *c.target.program_memory);
  }
  static void devices(Candidate& c, int processors) {
    const int each = c.target.processors_per_device;
    const int devices = (processors + each - 1) / each;
    if (c.target.price) c.public_.price = *c.target.price * devices;
    if (c.target.power) c.public_.power = *c.target.power * devices;
  }

  // ---- fixed-point machines

  void machines(const Target& t) {
    if (!has_exact()) return;
    for (const int word : o_.words)
      for (const int units : {1, 2, 4, 8, 16, 0}) machine(t, word, units);
  }

  void machine(const Target& t, int word, int units) {
    Candidate& c = add(t, "shared units", "exact",
                       fmt::format("{}, {} bits, {}", t.id, word,
                                   units == 0   ? "a unit per operation"
                                   : units == 1 ? "1 unit"
                                                : fmt::format("{} units", units)));
    DesignCandidate& d = c.public_;
    d.word = fmt::format("fixed{}", word);
    d.units = units;
    try {
      auto& fixed = fixed_[word];
      if (!fixed) fixed = fixed_dynamics(model_, word, o_.acceleration);
      if (errors_.find(word) == errors_.end()) {
        const hardware::FixedError e = hardware::fixed_error(*fixed, 300);
        for (const double scale : e.full_scale) errors_[word].push_back(e.measured * scale);
      }
      c.torque_error = errors_[word];
      auto& made = sizes_[{word, units}];
      if (!made) made = Size(machine_of(*fixed, units));
      const Size& p = *made;
      // The outer loop has a multiplier and an adder of its own, and runs before the machine.
      const int n = model_.nv(), outer = 2 * n + 4;
      d.operations.multiplications = p.multiplications + 2 * n;
      d.operations.additions = p.additions + 4 * n;
      d.operations.sin_cos = p.angles;
      const double clock = 1 / *t.clock;
      d.step_time = (p.latency + outer) * clock + t.overhead;
      d.shortest_period = std::max(p.interval, outer) * clock;
      resources(c, p, word);
    } catch (const Error& e) {
      d.refused = e.what();
    }
  }

  struct Size {
    int multiplications, additions, angles, multipliers, adders, sines, interval, latency;
    bool shared;

    explicit Size(const ArithmeticPipeline& p)
        : multiplications(p.multiplications),
          additions(p.additions),
          angles(p.angles),
          multipliers(p.multipliers),
          adders(p.adders),
          sines(p.sine_units),
          interval(p.interval),
          latency(p.schedule.latency),
          shared(p.is_shared()) {}
  };

  // Estimates from the synthesized machines of docs/hardware.md, "Gates": lookup tables of six
  // inputs, 2.6 times as many of four.
  static void resources(Candidate& c, const Size& p, int word) {
    const Target& t = c.target;
    DesignCandidate& d = c.public_;
    double luts = p.shared ? word * (126 + 50.0 * p.multipliers)
                           : word * (3.1 * p.adders + 0.16 * word * word * p.sines);
    if (t.lut_inputs == 4) luts *= 2.6;
    const long each = multipliers_per_product(t, word), products = p.multipliers + 1;
    long built_in = each * products;
    if (t.multipliers == 0) {  // an array of adders for every product
      built_in = 0;
      luts += static_cast<double>(products) * word * word;
    }
    d.multipliers = built_in;
    d.luts = static_cast<long>(luts);
    if (built_in > t.multipliers)
      d.refused = fmt::format("it takes {} multipliers of {}x{} bits; the device has {}", built_in,
                              t.multiplier_bits[0], t.multiplier_bits[1], t.multipliers);
    else if (luts > static_cast<double>(t.luts))
      d.refused =
          fmt::format("it takes about {:.0f} lookup tables; the device has {}", luts, t.luts);
  }

  // ---- arrays and pipelines

  void arrays(const Target& t) {
    if (!has_exact()) return;
    for (const SystolicKind kind : {SystolicKind::linear, SystolicKind::log})
      for (const bool folded : {false, true}) {
        Candidate& c =
            add(t, "array", "exact",
                fmt::format("{}, {}{}", t.id, kind == SystolicKind::log ? "logarithmic" : "linear",
                            folded ? ", folded" : ""));
        DesignCandidate& d = c.public_;
        try {
          const SystolicDesign s = systolic_design(model_, kind, {.folded = folded, .word = 24});
          const double clock = t.time.add;
          d.processors = s.backward_processors + s.forward_processors;
          d.step_time =
              (s.latency + 3) * clock + t.overhead;  // the outer loop: a product, two sums
          d.shortest_period = s.interval * clock;
          devices(c, d.processors);
        } catch (const Error& e) {
          d.refused = e.what();
        }
      }
  }

  void pipeline(const Target& t) {
    if (!has_exact()) return;
    Candidate& c = add(t, "pipeline", "exact", t.id);
    c.public_.step_time = t.latency + t.overhead;
    c.public_.shortest_period = t.interval;
    c.public_.processors = t.most_processors.value_or(1);
    devices(c, c.public_.processors);
  }

  const Robot& model_;
  const DesignOptions& o_;
  std::vector<std::string> policies_;
  std::vector<Candidate> found_;
  std::optional<StepProgram> exact_;
  std::map<std::pair<std::string, int>, std::vector<std::pair<std::vector<int>, StepProgram>>>
      links_;
  std::map<int, std::shared_ptr<const FixedGraph>> fixed_;
  std::map<int, std::vector<double>> errors_;
  std::map<std::pair<int, int>, std::optional<Size>> sizes_;
};

}  // namespace

std::vector<Candidate> candidates(const Robot& model, const DesignOptions& o) {
  return Enumeration(model, o).all();
}

CandidateProgram program_of(const Robot& model, const DesignCandidate& d, const Target& t,
                            const Gains& gains) {
  if (d.method == "links") {
    CandidateProgram made{policy_step(model, gains, control::policy(d.policy), d.blocks), {}};
    made.timing = step_timing(made.program, t);
    return made;
  }
  if (d.method == "schedule") {
    std::optional<CandidateProgram> best;
    for (const int grain : schedule_grains) {
      CandidateProgram made{scheduled_step(model, gains,
                                           {d.processors, grain, t.time.add, t.time.multiply,
                                            t.time.sine, t.message_start, t.message_word}),
                            {}};
      made.timing = step_timing(made.program, t);
      if (!best || made.timing.time < best->timing.time) best = std::move(made);
    }
    return std::move(*best);
  }
  if (d.method != "program" || d.formulation != "generated")
    throw Error(
        fmt::format("{}: its figures follow from operation counts alone; there is no "
                    "program of it",
                    d.id));
  CandidateProgram made{exact_step(model, gains), {}};
  made.timing = step_timing(made.program, t);
  return made;
}

std::shared_ptr<const FixedGraph> fixed_dynamics(const Robot& model, int word,
                                                 double acceleration) {
  const Generated made = codegen::generate(model, Quantity::inverse_dynamics);
  hardware::MotionRanges ranges;
  ranges.acceleration = acceleration;
  return std::make_shared<const FixedGraph>(hardware::fixed_graph(
      made.program.graph, hardware::input_ranges(model, made.program.graph, ranges), word));
}

ArithmeticPipeline machine_of(const FixedGraph& fixed, int units) {
  return units == 0 ? hardware::unrolled(fixed) : hardware::shared_units(fixed, units);
}

int bits_of(const std::string& word) {
  return word.starts_with("fixed") ? std::stoi(word.substr(5)) : 0;
}

}  // namespace parid::design
