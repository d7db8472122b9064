#include "design/step_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "codegen/emit/body.hpp"
#include "codegen/emit/lines.hpp"
#include "codegen/emit/sin_cos_text.hpp"

namespace parid::design {
namespace {

using codegen::comment_line, codegen::Lines;

std::string in_capitals(std::string s) {
  for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return s;
}

// The program of one processor.
class ProcessorText {
 public:
  ProcessorText(const StepProgram& program, int k, WordType word, const std::string& name)
      : program_(program),
        p_(program.processors[static_cast<std::size_t>(k)]),
        graph_(*p_.graph),
        single_(word == WordType::float32),
        all_(name),
        own_(fmt::format("{}_p{}", name, k + 1)) {
    find_kept();
    find_passed();
  }

  void state(Lines& o) const {
    o.open("struct {} {{", own_);
    o.line("int periods;  /* since the beginning, at most 1000 */");
    o.add("{}_real x[{}];  /* values of earlier periods */", all_, std::max(kept_, 1));
    o.add("{}_real t[{}];  /* values that later sections read */", all_,
          std::max<std::size_t>(passed_.size(), 1));
    o.close("};");
  }
  std::string signature(std::size_t section) const {
    return fmt::format(
        "void {0}_s{1}(struct {0} *m, const struct {2}_in *in, {2}_real *tau, "
        "void *network)",
        own_, section + 1, all_);
  }
  std::string whole_signature() const {
    return fmt::format(
        "void {0}(struct {0} *m, const struct {1}_in *in, {1}_real *tau, void *network)", own_,
        all_);
  }
  std::size_t sections() const { return p_.sections.size(); }
  bool uses_library() const {
    for (const StepSection& s : p_.sections)
      for (const Id id : s.operations)
        if (const Op op = graph_[id].op; op == Op::sqrt || op == Op::abs || op == Op::atan2)
          return true;
    return false;
  }

  void functions(Lines& o) const {
    sines(o);
    for (std::size_t s = 0; s < p_.sections.size(); ++s) section(o, s);
    o.open("{} {{", whole_signature());
    for (std::size_t s = 0; s < p_.sections.size(); ++s)
      o.add("{}_s{}(m, in, tau, network);", own_, s + 1);
    if (p_.sections.empty()) o.line("(void)m, (void)in, (void)tau, (void)network;");
    o.close();
  }

 private:
  // Where the values of earlier periods, and those of other processors, are stored.
  struct Kept {
    int offset = 0, depth = 0, youngest = 0;
    bool own = false;
  };

  void find_kept() {
    std::map<int, int> message_age;  // of values that are received
    for (const StepSection& s : p_.sections)
      for (const int m : s.receives) {
        const StepMessage& message = program_.messages[static_cast<std::size_t>(m)];
        for (const int v : message.values) message_age[v] = message.age;
      }
    for (const auto& [id, in] : p_.sources) {
      if (in.kind != StepInput::Kind::value) continue;
      Kept& x = kept_by_value_[in.value];
      const auto received = message_age.find(in.value);
      x.own = received == message_age.end();
      x.youngest = x.own ? 1 : received->second;
      x.depth = std::max(x.depth, in.age - x.youngest + 1);
    }
    for (auto& [v, x] : kept_by_value_) {
      x.offset = kept_;
      kept_ += x.depth;
    }
  }

  // Nodes that a later section reads than the one that computes them, or that are kept.
  void find_passed() {
    std::map<Id, std::size_t> made;
    for (std::size_t s = 0; s < p_.sections.size(); ++s)
      for (const Id id : p_.sections[s].operations) made[id] = s;
    std::set<Id> all;
    for (std::size_t s = 0; s < p_.sections.size(); ++s)
      for (const Id id : p_.sections[s].operations)
        for (const Id in : graph_[id].operands())
          if (made.count(in) && made[in] != s) all.insert(in);
    for (const StepOutput& out : p_.outputs) {
      if (!made.count(out.node)) continue;
      const bool stays = !out.torque && keeps_own(out.index);
      if (stays || made[out.node] != static_cast<std::size_t>(out.section)) all.insert(out.node);
    }
    for (const Id id : all) passed_.emplace(id, passed_.size());
  }
  bool keeps_own(int value) const {
    const auto at = kept_by_value_.find(value);
    return at != kept_by_value_.end() && at->second.own;
  }

  std::string number(double x) const {
    const std::string text = single_ ? codegen::decimal_float(x) : codegen::decimal(x);
    return x < 0 ? "(" + text + ")" : text;
  }
  std::string value(Id id) const {
    const Node& n = graph_[id];
    if (n.op == Op::constant) return number(n.value());
    if (const auto at = p_.sources.find(id); at != p_.sources.end()) return source(at->second);
    if (const auto at = passed_.find(id); at != passed_.end())
      return fmt::format("m->t[{}]", at->second);
    return fmt::format("t{}", id);
  }
  std::string source(const StepInput& in) const {
    switch (in.kind) {
      case StepInput::Kind::argument:
        return fmt::format("in->{}[{}]", step_arguments[in.array], in.element);
      case StepInput::Kind::gain: return number(in.gain);
      default: break;
    }
    const Kept& x = kept_by_value_.at(in.value);
    return fmt::format("m->x[{}]", x.offset + in.age - x.youngest);
  }

  void sines(Lines& o) const {
    bool any = false;
    for (const StepSection& s : p_.sections)
      for (const Id id : s.operations) any |= graph_[id].op == Op::sin || graph_[id].op == Op::cos;
    if (!any) return;
    const std::string real = single_ ? "float" : "double", bits = single_ ? "uint32_t" : "uint64_t",
                      keep = in_capitals(own_) + "_KEEP";
    codegen::emit_keep(o, keep);
    for (const bool to_bits : {true, false}) {
      o.open("static inline {} {}_{}(const {} x) {{", to_bits ? bits : real, own_,
             to_bits ? "bits" : "real", to_bits ? real : bits);
      o.add("union {{ {} real; {} bits; }} both;", real, bits);
      o.line(to_bits ? "both.real = x;" : "both.bits = x;");
      o.line(to_bits ? "return both.bits;" : "return both.real;");
      o.close();
    }
    codegen::emit_sin_cos(
        o, {own_ + "_sin_cos", real, bits, own_ + "_bits", own_ + "_real", keep, single_});
    o.blank();
  }

  void compute(Lines& o, Id id, std::set<Id>& angles) const {
    const Node& n = graph_[id];
    std::string text;
    if (n.op == Op::sin || n.op == Op::cos) {
      const Id angle = n.in[0];
      if (angles.insert(angle).second) {
        o.add("{0}_real s{1}, c{1};", all_, angle);
        o.add("{}_sin_cos({}, &s{}, &c{});", own_, value(angle), angle, angle);
      }
      text = fmt::format("{}{}", n.op == Op::sin ? "s" : "c", angle);
    } else {
      std::string x[3];
      for (int k = 0; k < row(n.op).arity; ++k) x[k] = value(n.in[static_cast<std::size_t>(k)]);
      text = fmt::format(fmt::runtime(row(n.op).c), x[0], x[1], x[2]);
      if (single_ && (n.op == Op::sqrt || n.op == Op::abs || n.op == Op::atan2))
        text.insert(text.find('('), "f");
    }
    if (passed_.count(id))
      o.add("{} = {};", value(id), text);
    else if (n.op == Op::less)
      o.add("const int t{} = {};", id, text);
    else
      o.add("const {}_real t{} = {};", all_, id, text);
  }

  void receive(Lines& o, int number) const {
    const StepMessage& m = program_.messages[static_cast<std::size_t>(number)];
    const std::size_t count = m.values.size();
    if (m.age > 0)
      o.open("if (m->periods >= {}) {{", m.age);
    else
      o.open("{{");
    o.add("{}_real w[{}];", all_, count);
    o.add("{}_receive(network, {}, w, {});", all_, number, count);
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = kept_by_value_.find(m.values[k]);
      if (at == kept_by_value_.end()) continue;
      shift(o, at->second, fmt::format("w[{}]", k));
    }
    o.close();
  }
  static void shift(Lines& o, const Kept& x, const std::string& latest) {
    for (int d = x.depth - 1; d > 0; --d)
      o.add("m->x[{}] = m->x[{}];", x.offset + d, x.offset + d - 1);
    o.add("m->x[{}] = {};", x.offset, latest);
  }

  void section(Lines& o, std::size_t s) const {
    const StepSection& section = p_.sections[s];
    o.add("/* {} */", comment_line(section.name));
    o.open("{} {{", signature(s));
    o.line("(void)m, (void)in, (void)tau, (void)network;");
    for (const int m : section.receives) receive(o, m);
    std::set<Id> angles;
    for (const Id id : section.operations) compute(o, id, angles);
    for (const StepOutput& out : p_.outputs)
      if (out.torque && out.section == static_cast<int>(s))
        o.add("tau[{}] = {};", out.index, value(out.node));
    for (const int m : section.sends) send(o, m, s);
    if (s + 1 == p_.sections.size()) {
      // All of them before any is stored: a value may be an earlier one of another variable.
      std::vector<const StepOutput*> kept;
      for (const StepOutput& out : p_.outputs)
        if (!out.torque && keeps_own(out.index)) kept.push_back(&out);
      for (std::size_t k = 0; k < kept.size(); ++k)
        o.add("const {}_real k{} = {};", all_, k, value(kept[k]->node));
      for (std::size_t k = 0; k < kept.size(); ++k)
        shift(o, kept_by_value_.at(kept[k]->index), fmt::format("k{}", k));
      o.line("if (m->periods < 1000) ++m->periods;");
    }
    for (const Id a : angles) o.add("(void)s{0}, (void)c{0};", a);
    o.close();
    o.blank();
  }

  void send(Lines& o, int number, std::size_t) const {
    const StepMessage& m = program_.messages[static_cast<std::size_t>(number)];
    std::vector<std::string> words;
    for (const int v : m.values) {
      const auto at = std::find_if(p_.outputs.begin(), p_.outputs.end(),
                                   [&](const StepOutput& x) { return !x.torque && x.index == v; });
      words.push_back(value(at->node));
    }
    o.open("{{");
    o.add("{}_real w[{}];", all_, words.size());
    for (std::size_t k = 0; k < words.size(); ++k) o.add("w[{}] = {};", k, words[k]);
    o.add("{}_send(network, {}, w, {});", all_, number, words.size());
    o.close();
  }

  const StepProgram& program_;
  const StepProcessor& p_;
  const Graph& graph_;
  bool single_;
  std::string all_, own_;  // names
  std::map<int, Kept> kept_by_value_;
  int kept_ = 0;
  std::map<Id, std::size_t> passed_;
};

class StepText {
 public:
  StepText(const StepProgram& p, const StepTiming& t, WordType word, const std::string& name,
           const std::vector<std::string>& about)
      : p_(p), timing_(t), word_(word), name_(name), about_(about) {
    for (std::size_t k = 0; k < p.processors.size(); ++k)
      processors_.emplace_back(p, static_cast<int>(k), word, name);
  }

  std::string header() const {
    Lines o;
    comment(o, fmt::format("{}: {} processor{}, {} message{} with {} numbers in a period", name_,
                           processors_.size(), processors_.size() == 1 ? "" : "s",
                           p_.messages.size(), p_.messages.size() == 1 ? "" : "s", p_.words()));
    const std::string guard = in_capitals(name_) + "_H";
    o.add("#ifndef {}", guard);
    o.add("#define {}", guard);
    o.blank();
    o.add("typedef {} {}_real;", word_ == WordType::float32 ? "float" : "double", name_);
    o.blank();
    o.add("/* What a period reads, {} numbers each: measured and wanted positions, velocities and",
          p_.coordinates);
    o.add(" * wanted accelerations{}. */", p_.ahead ? "; `next`: those wanted a period later" : "");
    o.open("struct {}_in {{", name_);
    o.add("const {}_real *q, *v, *q_wanted, *v_wanted, *a_wanted{};", name_,
          p_.ahead ? ", *q_next, *v_next, *a_next" : "");
    o.close("};");
    o.blank();
    o.line("/* The network: message m, from 0, has one sender, one receiver and a fixed count of");
    o.line(" * words. Messages of one number arrive in the order in which they are sent; as many");
    o.line(" * may be under way as the age that is noted below, and one more. */");
    o.add("void {0}_send(void *network, int message, const {0}_real *words, int count);", name_);
    o.add("void {0}_receive(void *network, int message, {0}_real *words, int count);", name_);
    for (std::size_t m = 0; m < p_.messages.size(); ++m) {
      const StepMessage& x = p_.messages[m];
      o.add("/* message {}: from {} to {}, {} words, read {} */", m, x.from + 1, x.to + 1,
            x.values.size(),
            x.age == 0   ? "in the same period"
            : x.age == 1 ? "a period later"
                         : fmt::format("{} periods later", x.age));
    }
    o.blank();
    for (std::size_t k = 0; k < processors_.size(); ++k) {
      processors_[k].state(o);
      o.line("/* A period, and its sections. The state begins as zeros. */");
      o.line(processors_[k].whole_signature() + ";");
      for (std::size_t s = 0; s < processors_[k].sections(); ++s)
        o.line(processors_[k].signature(s) + ";");
      o.blank();
    }
    o.add("enum {{ {}_settle = {} }};  /* periods at rest that fill the values of earlier ones */",
          name_, p_.settle);
    o.blank();
    o.line("#endif");
    return o.text();
  }

  std::string processor(std::size_t k) const {
    Lines o;
    comment(o, fmt::format("{}: processor {} of {}", name_, k + 1, processors_.size()));
    if (processors_[k].uses_library()) o.line("#include <math.h>");
    o.line("#include <stdint.h>");
    o.blank();
    include(o);
    processors_[k].functions(o);
    return o.text();
  }

  std::string one_processor() const {
    Lines o;
    comment(
        o, fmt::format("{}: all processors' sections on one, in the order of the schedule", name_));
    o.line("#include <string.h>");
    o.blank();
    include(o);
    boxes(o, "unsigned", "");
    o.open("struct {}_all {{", name_);
    for (std::size_t k = 0; k < processors_.size(); ++k)
      o.add("struct {0}_p{1} p{1};", name_, k + 1);
    o.add("struct {}_box box[{}];", name_, std::max<std::size_t>(1, p_.messages.size()));
    o.close("};");
    o.blank();
    o.open("void {0}_send(void *network, int message, const {0}_real *words, int count) {{", name_);
    o.add("struct {0}_box *box = (struct {0}_box *)network + message;", name_);
    o.add(
        "memcpy(box->words[box->sent++ & box_mask(message)], words, "
        "(size_t)count * sizeof({}_real));",
        name_);
    o.close();
    o.open("void {0}_receive(void *network, int message, {0}_real *words, int count) {{", name_);
    o.add("struct {0}_box *box = (struct {0}_box *)network + message;", name_);
    o.add(
        "memcpy(words, box->words[box->taken++ & box_mask(message)], "
        "(size_t)count * sizeof({}_real));",
        name_);
    o.close();
    o.blank();
    o.line("/* One period. */");
    o.add("void {0}_step(struct {0}_all *, const struct {0}_in *, {0}_real *tau);", name_);
    o.open("void {0}_step(struct {0}_all *a, const struct {0}_in *in, {0}_real *tau) {{", name_);
    for (const auto& [k, s] : timing_.order)
      o.add("{0}_p{1}_s{2}(&a->p{1}, in, tau, a->box);", name_, k + 1, s + 1);
    o.close();
    o.blank();
    o.line("/* At rest at `in`, where wanted and measured positions are equal. */");
    o.add("void {0}_begin(struct {0}_all *, const struct {0}_in *, {0}_real *tau);", name_);
    o.open("void {0}_begin(struct {0}_all *a, const struct {0}_in *in, {0}_real *tau) {{", name_);
    o.line("int k;");
    o.line("memset(a, 0, sizeof *a);");
    o.add("for (k = 0; k < {0}_settle; ++k) {0}_step(a, in, tau);", name_);
    o.close();
    return o.text();
  }

  std::string bare() const {
    Lines o;
    comment(o, fmt::format("{}: each processor on a core of its own, without an operating system",
                           name_));
    o.line("/* C11. Core K calls NAME_pK() once per period, at the tick of a common timer, with");
    o.add(" * &{0}_network as its network. {0}_network must be in memory that all cores see in",
          name_);
    o.line(" * the same way: not cached, or kept coherent. A core waits where the schedule has it");
    o.line(" * wait: for messages of the same period alone. */");
    o.line("#include <stdatomic.h>");
    o.blank();
    include(o);
    boxes(o, "atomic_uint", "");
    o.add("struct {0}_box {0}_network[{1}];", name_, std::max<std::size_t>(1, p_.messages.size()));
    o.blank();
    atomic_send(o, "");
    return o.text();
  }

  std::string threads() const {
    Lines o;
    comment(o, fmt::format("{}: each processor in a POSIX thread, messages in shared memory (C11)",
                           name_));
    o.line("#include <pthread.h>");
    o.line("#include <sched.h>");
    o.line("#include <stdatomic.h>");
    o.line("#include <string.h>");
    o.blank();
    include(o);
    boxes(o, "atomic_uint", "");
    const std::size_t p = processors_.size();
    o.open("struct {}_threads {{", name_);
    o.add("struct {}_box box[{}];", name_, std::max<std::size_t>(1, p_.messages.size()));
    for (std::size_t k = 0; k < p; ++k) o.add("struct {0}_p{1} p{1};", name_, k + 1);
    o.add("pthread_t thread[{}];", p);
    o.line("atomic_uint period, done;");
    o.line("atomic_int over;");
    o.line("int started;");
    o.add("const struct {}_in *in;", name_);
    o.add("{}_real *tau;", name_);
    o.close("};");
    o.blank();
    o.line("/* Starts the threads, and fills what they keep: at rest at `in`, where wanted and");
    o.line(
        " * measured positions are equal. `tau` receives the torques. Returns 0, or an error of");
    o.line(" * pthread_create(). */");
    o.add("int {0}_threads_start(struct {0}_threads *, const struct {0}_in *, {0}_real *tau);",
          name_);
    o.line("/* One period: returns when all threads have finished it. */");
    o.add("void {0}_threads_step(struct {0}_threads *, const struct {0}_in *, {0}_real *tau);",
          name_);
    o.add("void {0}_threads_stop(struct {0}_threads *);", name_);
    o.blank();
    atomic_send(o, "sched_yield();");
    for (std::size_t k = 0; k < p; ++k) {
      o.open("static void *run{}(void *all) {{", k + 1);
      o.add("struct {}_threads *a = all;", name_);
      o.line("unsigned seen = 0;");
      o.open("for (;;) {{");
      o.line("while (atomic_load_explicit(&a->period, memory_order_acquire) == seen)");
      o.line("  if (atomic_load_explicit(&a->over, memory_order_relaxed)) return 0;");
      o.line("  else sched_yield();");
      o.line("++seen;");
      o.add("{0}_p{1}(&a->p{1}, a->in, a->tau, a->box);", name_, k + 1);
      o.line("atomic_fetch_add_explicit(&a->done, 1, memory_order_release);");
      o.close();
      o.close();
    }
    o.blank();
    o.open(
        "void {0}_threads_step(struct {0}_threads *a, const struct {0}_in *in, {0}_real *tau) {{",
        name_);
    o.line("a->in = in;");
    o.line("a->tau = tau;");
    o.line("atomic_store_explicit(&a->done, 0, memory_order_relaxed);");
    o.line("atomic_fetch_add_explicit(&a->period, 1, memory_order_release);");
    o.add("while (atomic_load_explicit(&a->done, memory_order_acquire) < {}) sched_yield();", p);
    o.close();
    o.blank();
    o.open(
        "int {0}_threads_start(struct {0}_threads *a, const struct {0}_in *in, {0}_real *tau) {{",
        name_);
    std::string list;
    for (std::size_t k = 0; k < p; ++k) list += fmt::format("{}run{}", k ? ", " : "", k + 1);
    o.add("static void *(*const run[])(void *) = {{{}}};", list);
    o.line("int k, failed;");
    o.line("memset(a, 0, sizeof *a);");
    o.open("for (k = 0; k < {}; ++k) {{", p);
    o.line("failed = pthread_create(&a->thread[k], 0, run[k], a);");
    o.open("if (failed) {{");
    o.add("{}_threads_stop(a);", name_);
    o.line("return failed;");
    o.close();
    o.line("a->started = k + 1;");
    o.close();
    o.add("for (k = 0; k < {0}_settle; ++k) {0}_threads_step(a, in, tau);", name_);
    o.line("return 0;");
    o.close();
    o.blank();
    o.open("void {0}_threads_stop(struct {0}_threads *a) {{", name_);
    o.line("int k;");
    o.line("atomic_store_explicit(&a->over, 1, memory_order_relaxed);");
    o.line("for (k = 0; k < a->started; ++k) pthread_join(a->thread[k], 0);");
    o.close();
    return o.text();
  }

  // For codegen::compile().
  std::string functions_over_doubles() const {
    Lines o;
    const std::size_t arrays = p_.ahead ? 8 : 5, n = static_cast<std::size_t>(p_.coordinates);
    o.add("long {0}_bytes(void) {{ return (long)sizeof(struct {0}_all); }}", name_);
    for (const bool begin : {true, false}) {
      o.open("void {}_{}(void *state, const double *inputs{}) {{", name_, begin ? "begins" : "run",
             begin ? "" : ", double *torques");
      o.add("{}_real x[{}], tau[{}];", name_, arrays * n, n);
      o.line("int k;");
      o.add("struct {}_in in;", name_);
      o.add("for (k = 0; k < {}; ++k) x[k] = ({}_real)inputs[k];", arrays * n, name_);
      for (std::size_t a = 0; a < arrays; ++a) o.add("in.{} = x + {};", step_arguments[a], a * n);
      o.add("{}_{}(state, &in, tau);", name_, begin ? "begin" : "step");
      if (!begin) o.add("for (k = 0; k < {}; ++k) torques[k] = (double)tau[k];", n);
      o.close();
    }
    return o.text();
  }

 private:
  void comment(Lines& o, const std::string& what) const {
    o.line("/* " + comment_line(what));
    o.line(" *");
    for (const std::string& line : about_) o.line(line.empty() ? " *" : " * " + comment_line(line));
    o.line(" */");
    o.blank();
  }
  void include(Lines& o) const {
    o.add("#include \"{}.h\"", name_);
    o.blank();
  }

  // A ring of messages for each number: as many as may be under way, a power of two.
  void boxes(Lines& o, const char* count, const char*) const {
    std::size_t words = 1, ring = 2;
    for (const StepMessage& m : p_.messages) {
      words = std::max(words, m.values.size());
      while (ring < static_cast<std::size_t>(m.age) + 2) ring *= 2;
    }
    o.open("struct {}_box {{", name_);
    o.add("{} sent, taken;", count);
    o.add("{}_real words[{}][{}];", name_, ring, words);
    o.close("};");
    o.add("static unsigned box_mask(int message) {{ (void)message; return {}u; }}", ring - 1);
    o.blank();
  }

  void atomic_send(Lines& o, const std::string& wait) const {
    o.open("void {0}_send(void *network, int message, const {0}_real *words, int count) {{", name_);
    o.add("struct {0}_box *box = (struct {0}_box *)network + message;", name_);
    o.line("const unsigned at = atomic_load_explicit(&box->sent, memory_order_relaxed);");
    o.line("int k;");
    o.line("for (k = 0; k < count; ++k) box->words[at & box_mask(message)][k] = words[k];");
    o.line("atomic_store_explicit(&box->sent, at + 1, memory_order_release);");
    o.close();
    o.blank();
    o.open("void {0}_receive(void *network, int message, {0}_real *words, int count) {{", name_);
    o.add("struct {0}_box *box = (struct {0}_box *)network + message;", name_);
    o.line("const unsigned at = atomic_load_explicit(&box->taken, memory_order_relaxed);");
    o.line("int k;");
    o.open("while (atomic_load_explicit(&box->sent, memory_order_acquire) == at) {{");
    if (!wait.empty()) o.line(wait);
    o.close();
    o.line("for (k = 0; k < count; ++k) words[k] = box->words[at & box_mask(message)][k];");
    o.line("atomic_store_explicit(&box->taken, at + 1, memory_order_release);");
    o.close();
    o.blank();
  }

  const StepProgram& p_;
  const StepTiming& timing_;
  WordType word_;
  std::string name_;
  const std::vector<std::string>& about_;
  std::vector<ProcessorText> processors_;
};

}  // namespace

std::vector<EmittedFile> step_files(const StepProgram& p, const StepTiming& t, WordType word,
                                    const std::string& name,
                                    const std::vector<std::string>& about) {
  const StepText text(p, t, word, name, about);
  std::vector<EmittedFile> files = {{name + ".h", text.header()}};
  for (std::size_t k = 0; k < p.processors.size(); ++k)
    files.push_back({fmt::format("{}_p{}.c", name, k + 1), text.processor(k)});
  files.push_back({name + "_static.c", text.one_processor()});
  if (p.processors.size() > 1) {
    files.push_back({name + "_threads.c", text.threads()});
    files.push_back({name + "_bare.c", text.bare()});
  }
  return files;
}

std::string step_source(const StepProgram& p, const StepTiming& t, WordType word,
                        const std::string& name) {
  const std::vector<std::string> none;
  const StepText text(p, t, word, name, none);
  std::string all = text.header();
  for (std::size_t k = 0; k < p.processors.size(); ++k) all += text.processor(k);
  all += text.one_processor() + text.functions_over_doubles();
  const std::string include = fmt::format("#include \"{}.h\"\n", name);
  for (std::size_t at; (at = all.find(include)) != std::string::npos;)
    all.erase(at, include.size());
  return all;
}

}  // namespace parid::design
