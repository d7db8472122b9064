#include "schedule/processor_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "codegen/emit/body.hpp"
#include "schedule/tasks/recorder.hpp"

namespace parid::schedule {
namespace {

// Tasks in the order of their starts, predecessors first among those that start together.
std::vector<Placement> in_order(const TaskedGraph& g, const Schedule& s) {
  std::vector<int> rank(g.tasks.size());
  const std::vector<int> topological = g.tasks.order();
  for (int k = 0; k < g.tasks.size(); ++k) rank[topological[k]] = k;
  std::vector<Placement> order = s.placement;
  std::sort(order.begin(), order.end(), [&](const Placement& a, const Placement& b) {
    return a.start != b.start ? a.start < b.start : rank[a.task] < rank[b.task];
  });
  return order;
}

std::string element_of(const std::vector<Argument>& arguments, int k) {
  for (const Argument& a : arguments) {
    if (k < a.count) return fmt::format("{}[{}]", a.name, k);
    k -= a.count;
  }
  return "?";
}

class ProcessorPrograms {
 public:
  ProcessorPrograms(const TaskedGraph& g, const Schedule& s, const std::string& name,
                    const std::vector<std::string>& about)
      : g_(g),
        graph_(g.graph),
        name_(name),
        about_(about),
        processors_(s.processors),
        order_(in_order(g, s)),
        messages_(messages(g, s)),
        inputs_(arguments(graph_.inputs())),
        outputs_(arguments(graph_.outputs())),
        owner_(graph_.size(), -1) {
    std::vector<int> at(g.tasks.size());
    for (const Placement& p : s.placement) at[p.task] = p.processor;
    for (std::size_t t = 0; t < g.operations.size(); ++t)
      for (const Id id : g.operations[t]) owner_[id] = at[t];
  }

  std::vector<EmittedFile> run() {
    std::vector<EmittedFile> files = {{name_ + ".h", header()}};
    for (int p = 0; p < processors_; ++p)
      files.push_back({fmt::format("{}_p{}.c", name_, p + 1), processor(p)});
    files.push_back({name_ + "_threads.c", threads()});
    return files;
  }

 private:
  void comment(Lines& o, const std::string& what) const {
    o.line("/* " + what);
    o.line(" *");
    for (const std::string& line : about_) o.line(line.empty() ? " *" : " * " + comment_line(line));
    o.line(" */");
    o.blank();
  }

  std::string parameters() const {
    std::vector<std::string> all;
    for (const Argument& a : inputs_)
      all.push_back(fmt::format("const double {}[{}]", a.name, a.count));
    for (const Argument& a : outputs_) all.push_back(fmt::format("double {}[{}]", a.name, a.count));
    return fmt::format("{}", fmt::join(all, ", "));
  }
  std::string signature(int p) const {
    return fmt::format("void {}_p{}({}, void *network)", name_, p + 1, parameters());
  }

  std::string header() const {
    Lines o;
    comment(o, fmt::format("{}: {} processors, {} messages", name_, processors_, messages_.size()));
    std::string guard = name_ + "_H";
    for (char& c : guard) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    o.add("#ifndef {}", guard);
    o.add("#define {}", guard);
    o.blank();
    o.line(
        "/* The network: message m, from 0, goes from one processor to another, both from 1, and");
    o.line(" * has a fixed count of words. Sending must not wait for the receiver. */");
    o.add("void {}_send(void *network, int message, const double *words, int count);", name_);
    o.add("void {}_receive(void *network, int message, double *words, int count);", name_);
    o.blank();
    o.line("/* One evaluation of each processor's share. */");
    for (int p = 0; p < processors_; ++p) o.line(signature(p) + ";");
    o.blank();
    o.add("/* All of them, by {}_threads.c: each in a thread, messages in shared memory. */",
          name_);
    o.add("void {}({});", name_, parameters());
    o.blank();
    for (std::size_t m = 0; m < messages_.size(); ++m)
      o.add("/* message {}: {} to {}, {} words, after task {} */", m, messages_[m].from + 1,
            messages_[m].to + 1, messages_[m].words.size(), g_.tasks[messages_[m].task].name);
    o.line("#endif");
    return o.text();
  }

  // What processor p reads of what is prepared, in an order to compute it.
  std::vector<Id> prepared_for(int p) const {
    std::vector<char> needed(graph_.size(), 0), is_prepared(graph_.size(), 0);
    for (const Id id : g_.prepared) is_prepared[id] = 1;
    for (Id id = 0; id < graph_.size(); ++id)
      if (owner_[id] == p)
        for (const Id in : graph_[id].operands()) needed[in] = 1;
    if (p == 0)
      for (const Named& o : graph_.outputs()) needed[o.id] = 1;
    for (auto id = g_.prepared.rbegin(); id != g_.prepared.rend(); ++id)
      if (needed[*id])
        for (const Id in : graph_[*id].operands()) needed[in] = 1;
    std::vector<Id> all;
    for (const Id id : g_.prepared)
      if (needed[id]) all.push_back(id);
    return all;
  }

  std::string processor(int p) {
    Lines o;
    comment(o, fmt::format("{}: processor {} of {}", name_, p + 1, processors_));
    o.line("#include <math.h>");
    o.blank();
    o.add("#include \"{}.h\"", name_);
    o.blank();
    o.open("{} {{", signature(p));
    for (const Argument& a : inputs_) o.add("(void){};", a.name);
    for (const Argument& a : outputs_) o.add("(void){};", a.name);
    o.line("(void)network;");
    std::map<Id, std::string> received;
    auto value = [&](Id id) -> std::string {
      const Node& n = graph_[id];
      if (n.op == Op::constant) return "(" + decimal(n.value()) + ")";
      if (n.op == Op::input) return element_of(inputs_, static_cast<int>(n.in[0]));
      const auto from = received.find(id);
      return from != received.end() ? from->second : fmt::format("t{}", id);
    };
    auto compute = [&](Id id) {
      const Node& n = graph_[id];
      std::string x[3];
      for (int k = 0; k < row(n.op).arity; ++k) x[k] = value(n.in[k]);
      o.add("const double t{} = {};", id, fmt::format(fmt::runtime(row(n.op).c), x[0], x[1], x[2]));
    };
    for (const Id id : prepared_for(p)) compute(id);
    std::set<std::size_t> taken;
    for (const Placement& place : order_) {
      if (place.processor != p) continue;
      receive_for(place.task, p, taken, received, o);
      o.add("/* task {} */", comment_line(g_.tasks[place.task].name));
      for (const Id id : g_.operations[place.task]) compute(id);
      for (std::size_t m = 0; m < messages_.size(); ++m)
        if (messages_[m].task == place.task) send(m, value, o);
    }
    for (std::size_t k = 0; k < graph_.outputs().size(); ++k) {
      const Id id = graph_.outputs()[k].id;
      if (owner_[id] == p || (owner_[id] < 0 && p == 0))
        o.add("{} = {};", element_of(outputs_, static_cast<int>(k)), value(id));
    }
    o.close();
    return o.text();
  }

  // The messages that a task reads and that are not there yet.
  void receive_for(int task, int p, std::set<std::size_t>& taken,
                   std::map<Id, std::string>& received, Lines& o) const {
    std::set<Id> read;
    for (const Id id : g_.operations[task])
      for (const Id in : graph_[id].operands())
        if (owner_[in] >= 0 && owner_[in] != p && !received.count(in)) read.insert(in);
    for (std::size_t m = 0; m < messages_.size() && !read.empty(); ++m) {
      const Message& x = messages_[m];
      if (x.to != p || taken.count(m) ||
          std::none_of(x.words.begin(), x.words.end(), [&](Id id) { return read.count(id) > 0; }))
        continue;
      taken.insert(m);
      o.add("double m{}[{}];", m, x.words.size());
      o.add("{0}_receive(network, {1}, m{1}, {2});", name_, m, x.words.size());
      for (std::size_t k = 0; k < x.words.size(); ++k) {
        received[x.words[k]] = fmt::format("m{}[{}]", m, k);
        read.erase(x.words[k]);
      }
    }
  }

  template <class Value>
  void send(std::size_t m, const Value& value, Lines& o) const {
    std::vector<std::string> words;
    for (const Id id : messages_[m].words) words.push_back(value(id));
    o.add("const double m{}[{}] = {{{}}};", m, words.size(), fmt::join(words, ", "));
    o.add("{0}_send(network, {1}, m{1}, {2});", name_, m, words.size());
  }

  std::string threads() const {
    Lines o;
    comment(
        o, fmt::format("{}: processors as threads, messages in shared memory (C11, POSIX)", name_));
    o.line("#include <pthread.h>");
    o.line("#include <sched.h>");
    o.line("#include <stdatomic.h>");
    o.line("#include <string.h>");
    o.blank();
    o.add("#include \"{}.h\"", name_);
    o.blank();
    std::size_t most = 1;
    for (const Message& m : messages_) most = std::max(most, m.words.size());
    o.open("struct box {{");
    o.line("atomic_int full;");
    o.add("double words[{}];", most);
    o.close("};");
    o.open("struct all {{");
    o.add("struct box box[{}];", std::max<std::size_t>(1, messages_.size()));
    for (const Argument& a : inputs_) o.add("const double *{};", a.name);
    for (const Argument& a : outputs_) o.add("double *{};", a.name);
    o.close("};");
    o.blank();
    o.open("void {}_send(void *network, int message, const double *words, int count) {{", name_);
    o.line("struct box *box = &((struct all *)network)->box[message];");
    o.line("memcpy(box->words, words, (size_t)count * sizeof(double));");
    o.line("atomic_store_explicit(&box->full, 1, memory_order_release);");
    o.close();
    o.blank();
    o.open("void {}_receive(void *network, int message, double *words, int count) {{", name_);
    o.line("struct box *box = &((struct all *)network)->box[message];");
    o.line("while (!atomic_load_explicit(&box->full, memory_order_acquire)) sched_yield();");
    o.line("memcpy(words, box->words, (size_t)count * sizeof(double));");
    o.close();
    o.blank();
    std::vector<std::string> fields, names;
    for (const auto* all : {&inputs_, &outputs_})
      for (const Argument& a : *all) {
        fields.push_back("x->" + a.name);
        names.push_back(a.name);
      }
    for (int p = 0; p < processors_; ++p) {
      o.open("static void *run{}(void *all) {{", p + 1);
      o.line("struct all *x = all;");
      o.add("{}_p{}({}, x);", name_, p + 1, fmt::join(fields, ", "));
      o.line("return 0;");
      o.close();
    }
    o.blank();
    o.open("void {}({}) {{", name_, parameters());
    o.line("struct all x;");
    o.add("pthread_t thread[{}];", processors_);
    o.add("static void *(*const run[])(void *) = {{{}}};", [&] {
      std::string list;
      for (int p = 0; p < processors_; ++p) list += fmt::format("{}run{}", p ? ", " : "", p + 1);
      return list;
    }());
    o.add("int k, started[{}];", processors_);
    o.add("for (k = 0; k < {}; ++k) atomic_init(&x.box[k].full, 0);",
          std::max<std::size_t>(1, messages_.size()));
    for (const std::string& n : names) o.add("x.{0} = {0};", n);
    // A thread that cannot be started is run by its starter only if nothing waits for it; so all
    // processors must have one.
    o.add("for (k = 1; k < {}; ++k) {{", processors_);
    o.line("  started[k] = 0;");
    o.line("  while (!started[k]) started[k] = pthread_create(&thread[k], 0, run[k], &x) == 0;");
    o.line("}");
    o.line("run[0](&x);");
    o.add("for (k = 1; k < {}; ++k) pthread_join(thread[k], 0);", processors_);
    o.close();
    return o.text();
  }

  const TaskedGraph& g_;
  const Graph& graph_;
  const std::string& name_;
  const std::vector<std::string>& about_;
  int processors_;
  std::vector<Placement> order_;
  std::vector<Message> messages_;
  std::vector<Argument> inputs_, outputs_;
  std::vector<int> owner_;  // the processor that computes a node; -1: none
};

}  // namespace

std::vector<Message> messages(const TaskedGraph& g, const Schedule& s) {
  std::vector<int> at(g.graph.size(), -1), of_task(g.tasks.size());
  for (const Placement& p : s.placement) of_task[p.task] = p.processor;
  for (std::size_t t = 0; t < g.operations.size(); ++t)
    for (const Id id : g.operations[t]) at[id] = of_task[t];
  std::vector<std::set<int>> readers(g.graph.size());
  for (Id id = 0; id < g.graph.size(); ++id)
    for (const Id in : g.graph[id].operands())
      if (at[id] >= 0 && at[in] >= 0 && at[id] != at[in]) readers[in].insert(at[id]);
  std::vector<Message> all;
  for (const Placement& p : in_order(g, s)) {
    std::map<int, std::vector<Id>> to;
    for (const Id id : g.operations[p.task])
      for (const int reader : readers[id]) to[reader].push_back(id);
    for (auto& [reader, words] : to) all.push_back({p.task, p.processor, reader, std::move(words)});
  }
  return all;
}

std::vector<EmittedFile> processor_programs(const TaskedGraph& g, const Schedule& s,
                                            const std::string& name,
                                            const std::vector<std::string>& about) {
  const TaskedGraph used = without_unused(g);
  return ProcessorPrograms(used, s, name, about).run();
}

}  // namespace parid::schedule
