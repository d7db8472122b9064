#include "design/artefact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codegen/compile/compile.hpp"
#include "design/step_text.hpp"
#include "parid/error.hpp"

namespace parid::design {
namespace {

class CompiledArtefact : public Artefact {
 public:
  CompiledArtefact(const StepProgram& p, const StepTiming& t, WordType word) : word_(word) {
    std::string note;
    // -O1: a second of compilation rather than ten, and the same results.
    library_ = codegen::compile(step_source(p, t, word, "step"), note, {"-O1"});
    if (!library_) throw Error(fmt::format("the programs cannot be compiled here: {}", note));
    begin_ = reinterpret_cast<Begin>(library_->function("step_begins"));
    run_ = reinterpret_cast<Run>(library_->function("step_run"));
    const auto bytes = reinterpret_cast<long (*)()>(library_->function("step_bytes"));
    state_.resize((static_cast<std::size_t>(bytes()) + 7) / 8);
  }

  void begin(const StepReadings& in) override { begin_(state_.data(), in.data()); }
  void run(const StepReadings& in, std::vector<double>& tau) override {
    run_(state_.data(), in.data(), tau.data());
  }
  double least_disturbance() const override { return word_ == WordType::float32 ? 2e-4 : 1e-6; }
  double largest_disturbance() const override { return word_ == WordType::float32 ? 1e-2 : 1e-3; }

 private:
  using Begin = void (*)(void*, const double*);
  using Run = void (*)(void*, const double*, double*);

  WordType word_;
  std::unique_ptr<codegen::CompiledLibrary> library_;
  Begin begin_ = nullptr;
  Run run_ = nullptr;
  std::vector<std::uint64_t> state_;
};

class FixedArtefact : public Artefact {
 public:
  FixedArtefact(std::shared_ptr<const FixedGraph> graph, const Gains& gains, double most)
      : graph_(std::move(graph)),
        gains_(gains),
        most_(most),
        in_(graph_->input_formats()),
        out_(graph_->output_formats()),
        words_(in_.size()) {}

  void begin(const StepReadings&) override {}
  void run(const StepReadings& readings, std::vector<double>& tau) override {
    const std::size_t n = gains_.kp.size();
    const double *q = readings.data(), *v = q + n, *q_d = q + 2 * n, *v_d = q + 3 * n,
                 *a_d = q + 4 * n;
    const auto& inputs = graph_->graph.inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto k = static_cast<std::size_t>(std::stoi(inputs[i].name.substr(1))) - 1;
      const char kind = inputs[i].name.front();
      double x = kind == 'q' ? q[k] : v[k];
      if (kind == 'a')
        x = std::clamp(a_d[k] + gains_.kd[k] * (v_d[k] - v[k]) + gains_.kp[k] * (q_d[k] - q[k]),
                       -most_, most_);
      const Range& range = graph_->range[inputs[i].id];
      words_[i] = in_[i].raw(std::clamp(x, range.low, range.high));
    }
    const std::vector<Raw> result = hardware::evaluate(*graph_, words_);
    for (std::size_t k = 0; k < tau.size(); ++k)
      tau[k] = static_cast<double>(out_[k].value(result[k]));
  }
  // Accelerations stay within their range; how much rounding is, the loop shows.
  double least_disturbance() const override { return 0.05 * largest_disturbance(); }
  double largest_disturbance() const override {
    const double kp = *std::max_element(gains_.kp.begin(), gains_.kp.end());
    return std::min(1e-2, 0.2 * most_ / std::max(kp, 1e-9));
  }

 private:
  std::shared_ptr<const FixedGraph> graph_;
  Gains gains_;
  double most_;
  std::vector<FixedFormat> in_, out_;
  std::vector<Raw> words_;
};

}  // namespace

void StepReadings::set_wanted(const control::Desired& now, const control::Desired& next) {
  const std::vector<double>* arrays[] = {&now.q, &now.v, &now.a, &next.q, &next.v, &next.a};
  for (std::size_t k = 0; k < std::size(arrays); ++k)
    std::copy(arrays[k]->begin(), arrays[k]->end(), array(static_cast<int>(k) + 2).begin());
}

std::unique_ptr<Artefact> compiled_artefact(const StepProgram& p, const StepTiming& t,
                                            WordType word) {
  return std::make_unique<CompiledArtefact>(p, t, word);
}

std::unique_ptr<Artefact> fixed_artefact(std::shared_ptr<const FixedGraph> graph,
                                         const Gains& gains, double most_acceleration) {
  return std::make_unique<FixedArtefact>(std::move(graph), gains, most_acceleration);
}

}  // namespace parid::design
