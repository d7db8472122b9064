#include "bench/dynamics/contestants.hpp"
#include "parid/parid.hpp"

namespace parid::bench {
namespace {

// The arrays of a question, filled from the states.
template <class Real>
struct Arrays {
  std::vector<std::vector<Real>> in, out;
  std::vector<Strided<const Real>> from;
  std::vector<Strided<Real>> to;

  Arrays(const Engine& engine, const std::string& what, const States& s, bool columns) {
    const std::vector<double>* given[] = {&s.q, &s.v, &s.a};
    for (const std::size_t width : engine.takes(what)) {
      const std::vector<double>& x = *given[in.size()];
      std::vector<Real> y(x.begin(), x.end());
      if (columns)
        for (std::size_t r = 0; r < s.rows; ++r)
          for (std::size_t k = 0; k < width; ++k)
            y[k * s.rows + r] = static_cast<Real>(x[r * width + k]);
      in.push_back(std::move(y));
      from.push_back({in.back().data(), columns ? 1 : width, columns ? s.rows : 1});
    }
    for (const std::size_t width : engine.gives(what)) {
      out.emplace_back(width * s.rows);
      to.push_back({out.back().data(), columns ? 1 : width, columns ? s.rows : 1});
    }
  }
};

}  // namespace

void add_parid_batch(Entries& entries, const Description& d, const std::string& what,
                     std::shared_ptr<const States> few, std::shared_ptr<const States> many) {
  const Robot robot(d);
  for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled})
    for (const int threads : {1, 2}) {
      auto engine = std::make_shared<Engine>(
          robot,
          EngineOptions{
              .threads = threads, .kernel = kind, .questions = {what}, .single_precision = true});
      if (engine->kernel(what) != kind) continue;  // no compiler here, or too long a program
      const std::string as = std::string("parid ") + name(kind);
      auto enter = [&]<class Real>(Real, const std::string& more, const auto& states,
                                   bool columns) {
        auto x = std::make_shared<Arrays<Real>>(*engine, what, *states, columns);
        // few samples take microseconds: often enough that they find their caches warm
        const int often = states == few ? 20 : 1;
        auto run = [=] {
          for (int k = 0; k < often; ++k) engine->evaluate(what, states->rows, x->from, x->to);
        };
        run();
        std::vector<double> answer;
        if (std::is_same_v<Real, double> && !columns && x->out.size() == 1 && states == few)
          answer.assign(x->out[0].begin(), x->out[0].end());
        entries.push_back({{as + more, often * static_cast<long>(states->rows), run},
                           static_cast<int>(states->rows),
                           threads,
                           answer});
      };
      if (threads == 1) {
        enter(double{}, "", few, false);
        if (kind == KernelKind::compiled) {
          enter(double{}, " columns", few, true);
          enter(float{}, " float32", few, false);
        }
      }
      if (kind != KernelKind::interpreted) enter(double{}, "", many, false);
    }
}

}  // namespace parid::bench
