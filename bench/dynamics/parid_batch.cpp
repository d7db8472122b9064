#include "bench/dynamics/contestants.hpp"
#include "bench/layer.hpp"
#include "parid/parid.hpp"
#include "runtime/engine/strided_types.hpp"

namespace parid::bench {
namespace {

// The arrays of a quantity, filled from the states.
template <class Real>
struct Arrays {
  std::vector<std::vector<Real>> in, out;
  std::vector<StridedIn<Real>> from;
  std::vector<StridedOut<Real>> to;

  Arrays(const Engine& engine, Quantity what, const States& s, bool columns) {
    const std::vector<double>* given[] = {&s.q, &s.v, &s.a};
    for (const std::size_t width : engine.input_widths(what)) {
      const std::vector<double>& x = *given[in.size()];
      std::vector<Real> y(x.begin(), x.end());
      if (columns)
        for (std::size_t r = 0; r < s.rows; ++r)
          for (std::size_t k = 0; k < width; ++k)
            y[k * s.rows + r] = static_cast<Real>(x[r * width + k]);
      in.push_back(std::move(y));
      from.push_back({in.back().data(), columns ? 1 : width, columns ? s.rows : 1});
    }
    for (const std::size_t width : engine.output_widths(what)) {
      out.emplace_back(width * s.rows);
      to.push_back({out.back().data(), columns ? 1 : width, columns ? s.rows : 1});
    }
  }
};

}  // namespace

void add_parid_batch(Entries& entries, const Description& d, const std::string& what,
                     std::shared_ptr<const States> few, std::shared_ptr<const States> many) {
  const Robot robot(d);
  const Quantity which = quantity(what);
  for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled})
    for (const int threads : {1, 2}) {
      auto engine = std::make_shared<Engine>(
          robot,
          EngineOptions{
              .threads = threads, .kernel = kind, .quantities = {which}, .single_precision = true});
      if (engine->kernel(which) != kind) continue;  // no compiler here, or too long a program
      const std::string as = std::string("parid ") + name(kind);
      auto enter = [&]<class Real>(Real, const std::string& more, const auto& states,
                                   bool columns) {
        auto x = std::make_shared<Arrays<Real>>(*engine, which, *states, columns);
        // few samples take microseconds: repeated, so that caches are warm
        const int often = states == few ? 20 : 1;
        auto run = [=] {
          for (int k = 0; k < often; ++k) engine->evaluate(which, states->rows, x->from, x->to);
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
