#include "schedule/executor.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/threads/thread_pool.hpp"
#include "codegen/compile/compile.hpp"
#include "parid/error.hpp"

namespace parid::schedule {
namespace {

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

struct alignas(128) Count {
  std::atomic<unsigned long> tasks{0};
};
static_assert(sizeof(Count) == 128 && sizeof(std::atomic<unsigned long>) == sizeof(unsigned long));

// The k-th core that this process may run on.
cpu_set_t core(int k) {
  cpu_set_t all, one;
  CPU_ZERO(&one);
  sched_getaffinity(0, sizeof all, &all);
  for (int c = 0; c < CPU_SETSIZE; ++c)
    if (CPU_ISSET(c, &all) && k-- == 0) {
      CPU_SET(c, &one);
      break;
    }
  return one;
}

// Pins the calling thread to one core during its lifetime.
class Pinned {
 public:
  explicit Pinned(int k) {
    const cpu_set_t one = core(k);
    pthread_getaffinity_np(pthread_self(), sizeof before_, &before_);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  }
  ~Pinned() { pthread_setaffinity_np(pthread_self(), sizeof before_, &before_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  cpu_set_t before_;
};

double now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

struct Executor::ThreadPool {
  using Function = void (*)(double*, Count*, unsigned long);

  ThreadPool(const TaskedGraph& graph, const Schedule& s)
      : g(graph),
        program(threaded_program(graph, s)),
        room(program.slots + 16, 0.0),
        counts(s.processors),
        ended(s.processors) {
    for (x = room.data(); reinterpret_cast<std::uintptr_t>(x) % 128 != 0;) ++x;
    for (Id id = 0; id < g.graph.size(); ++id)
      if (g.graph[id].op == Op::constant) at(id) = g.graph[id].value();
    for (const auto& steps : program.steps) stride = std::max(stride, steps.size() + 1);
    library = compile(c_text(g, program), note);
    if (library)
      for (int p = 0; p < s.processors; ++p)
        function.push_back(
            reinterpret_cast<Function>(library->function("processor" + std::to_string(p))));
    try {
      for (int p = 1; p < s.processors; ++p) threads.emplace_back([this, p] { live(p); });
    } catch (...) {  // the system cannot provide more threads or memory
      dismiss();
      throw;
    }
  }
  ~ThreadPool() { dismiss(); }

  void dismiss() {
    over.store(true);
    begun.tasks.fetch_add(stride);
    for (std::thread& t : threads) t.join();
  }

  void live(int p) {
    const Pinned pinned(p);
    for (unsigned long seen = 0;;) {
      unsigned long base;
      while ((base = begun.tasks.load(std::memory_order_acquire)) == seen) pause();
      if (over.load()) return;
      seen = base;
      work(p, base);
      ended[p].tasks.store(base, std::memory_order_release);
    }
  }

  // One evaluation by all threads.
  void all() {
    const unsigned long base = begun.tasks.load(std::memory_order_relaxed) + stride;
    begun.tasks.store(base, std::memory_order_release);
    work(0, base);
    for (std::size_t p = 1; p < ended.size(); ++p)
      while (ended[p].tasks.load(std::memory_order_acquire) != base) pause();
  }

  void work(int p, unsigned long base) {
    if (!function.empty()) return function[p](x, counts.data(), base);
    for (const ThreadStep& step : program.steps[p]) {
      for (const Wait& w : step.waits)
        while (counts[w.processor].tasks.load(std::memory_order_acquire) < base + w.count) pause();
      for (const Id id : g.operations[step.task]) perform(id);
      if (step.show > 0) counts[p].tasks.store(base + step.show, std::memory_order_release);
    }
  }

  void perform(Id id) {
    const Node& n = g.graph[id];
    at(id) = apply(n.op, at(n.in[0]), at(n.in[1]), at(n.in[2]));
  }

  void prepare(std::span<const double> inputs) {
    for (const Named& i : g.graph.inputs()) at(i.id) = inputs[g.graph[i.id].in[0]];
    for (const Id id : g.prepared) perform(id);
  }

  const TaskedGraph& g;
  ThreadedProgram program;
  std::string note;
  std::unique_ptr<CompiledLibrary> library;
  std::vector<Function> function;
  double& at(Id id) { return x[program.slot[id]]; }

  std::vector<double> room;
  double* x = nullptr;     // in the allocation, aligned to a cache line
  std::size_t stride = 1;  // between the bases of two evaluations
  std::vector<Count> counts, ended;
  Count begun;
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
};

Executor::Executor(const TaskedGraph& g, const Schedule& s) {
  if (s.processors > available_cores())
    throw Error(
        fmt::format("a schedule for {} processors cannot run on {} cores; use fewer processors",
                    s.processors, available_cores()));
  if (static_cast<int>(g.operations.size()) != g.tasks.size())
    throw Error("these tasks have durations but no operations; use the tasks of a robot's program");
  pool_ = std::make_unique<ThreadPool>(g, s);
}
Executor::~Executor() = default;

void Executor::evaluate(std::span<const double> inputs, std::span<double> outputs) {
  const Pinned pinned(0);
  pool_->prepare(inputs);
  pool_->all();
  const auto& named = pool_->g.graph.outputs();
  for (std::size_t k = 0; k < named.size(); ++k) outputs[k] = pool_->at(named[k].id);
}

double Executor::nanoseconds(std::span<const double> inputs, int evaluations) {
  constexpr int round = 100;  // short enough to fit between two interruptions
  const Pinned pinned(0);
  pool_->prepare(inputs);
  double best = 1e300;
  for (int done = 0; done < evaluations; done += round) {
    const double start = now();
    for (int e = 0; e < round; ++e) pool_->all();
    best = std::min(best, (now() - start) / round);
  }
  return best;
}

bool Executor::compiled() const { return !pool_->function.empty(); }
const std::string& Executor::note() const { return pool_->note; }
const ThreadedProgram& Executor::program() const { return pool_->program; }

Schedule one_after_another(const TaskGraph& g) {
  Schedule s{1, std::vector<Placement>(g.size())};
  Time at = 0;
  for (const int t : g.order()) {
    s.placement[t] = {t, 0, at, at + g[t].duration};
    at += g[t].duration;
  }
  return s;
}

double round_trip_nanoseconds() {
  if (available_cores() < 2) return 0;
  constexpr unsigned long trips = 20'000;
  Count there, back;
  std::thread other([&] {
    const Pinned pinned(1);
    for (unsigned long k = 1; k <= trips; ++k) {
      while (there.tasks.load(std::memory_order_acquire) < k) pause();
      back.tasks.store(k, std::memory_order_release);
    }
  });
  const Pinned pinned(0);
  double best = 1e300, start = now();
  for (unsigned long k = 1; k <= trips; ++k) {
    there.tasks.store(k, std::memory_order_release);
    while (back.tasks.load(std::memory_order_acquire) < k) pause();
    if (k % 100 == 0) {
      best = std::min(best, (now() - start) / 100);
      start = now();
    }
  }
  other.join();
  return best;
}

Achieved measure(const TaskedGraph& g, const Schedule& s, std::span<const double> inputs,
                 int evaluations) {
  Achieved a;
  {
    Executor one(g, one_after_another(g.tasks));
    a.one_thread = one.nanoseconds(inputs, evaluations);
  }
  Executor all(g, s);
  a.measured = all.nanoseconds(inputs, evaluations);
  a.compiled = all.compiled();
  a.crossings = all.program().crossings;
  a.waits = all.program().waits;
  a.model = a.one_thread * static_cast<double>(makespan(s)) /
            static_cast<double>(std::max<Time>(1, total(g.tasks)));
  return a;
}

}  // namespace parid::schedule
