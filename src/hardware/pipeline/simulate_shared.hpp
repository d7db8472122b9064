// Simulates shared units clock by clock: the value at each unit's output and in each register.
//
// Like the controller, it uses the clock number modulo the interval, and no sample number: if a
// unit or register has two uses at once, or is read too early or too late, results are wrong.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <span>

#include "hardware/layer.hpp"
#include "hardware/pipeline/binding.hpp"

namespace parid::hardware {

template <class N>
class SharedSimulation {
 public:
  // From an operation and the values at its ports to the values of its signals in order.
  using Execute = std::function<std::vector<N>(int operation, std::span<const N> ports)>;

  SharedSimulation(const Network& n, const Staging& s, int interval, std::span<const int> kind,
                   const Binding& b, Execute execute)
      : n_(n), s_(s), interval_(interval), b_(b), execute_(std::move(execute)) {
    register_.resize(static_cast<std::size_t>(b.registers), N{});
    std::vector<int> given(n.operations.size(), 0);
    for (std::size_t k = 0; k < n.signals.size(); ++k) {
      const int op = n.signals[k].operation;
      port_.push_back(op < 0 ? inputs_++ : given[op]++);
    }
    for (std::size_t op = 0; op < n.operations.size(); ++op) {
      const std::pair unit(kind[op], b.unit[op]);
      unit_.push_back(unit);
      auto& stages = stages_[unit];
      if (stages.empty())
        stages.assign(static_cast<std::size_t>(n.operations[op].latency), std::vector<N>(2, N{}));
    }
  }

  bool takes() const { return phase_ == 0; }  // whether a sample enters at this clock
  bool gives() const { return phase_ == s_.latency % interval_; }  // whether a result leaves

  // One clock. Inputs are read if it `takes`; the returned values are valid if it `gives`.
  std::vector<N> step(std::span<const N> inputs) {
    std::vector<N> out;
    for (const int s : n_.outputs) out.push_back(read(s, s_.latency, inputs));
    std::map<std::pair<int, int>, std::vector<N>> entering;
    std::vector<N> ports;
    for (std::size_t op = 0; op < n_.operations.size(); ++op) {
      if (s_.start[op] % interval_ != phase_) continue;
      ports.clear();
      for (const int s : n_.operations[op].in) ports.push_back(read(s, s_.start[op], inputs));
      entering[unit_[op]] = execute_(static_cast<int>(op), ports);
    }
    std::vector<N> next = register_;
    for (std::size_t s = 0; s < n_.signals.size(); ++s) {
      const int ready = s_.ready(n_, static_cast<int>(s));
      if (ready % interval_ != phase_) continue;
      for (std::size_t k = 0; k < b_.place[s].size(); ++k)
        next[b_.place[s][k]] =
            read(static_cast<int>(s), ready + static_cast<int>(k) * interval_, inputs);
    }
    register_ = next;
    for (auto& [unit, stages] : stages_) {
      stages.pop_front();
      stages.push_back(entering.contains(unit) ? entering[unit] : std::vector<N>(2, N{}));
    }
    phase_ = (phase_ + 1) % interval_;
    return out;
  }

 private:
  N read(int signal, int when, std::span<const N> inputs) const {
    const int place = b_.at(signal, when - s_.ready(n_, signal), interval_);
    if (place >= 0) return register_[place];
    const int op = n_.signals[signal].operation;
    const auto port = static_cast<std::size_t>(port_[signal]);
    return op < 0 ? inputs[port] : stages_.at(unit_[op]).front()[port];
  }

  Network n_;
  Staging s_;
  int interval_;
  Binding b_;
  Execute execute_;
  int inputs_ = 0, phase_ = 0;
  std::vector<int> port_;  // of each signal: index of the input, or of the operation's result
  std::vector<std::pair<int, int>> unit_;  // of each operation: kind and number
  std::map<std::pair<int, int>, std::deque<std::vector<N>>> stages_;
  std::vector<N> register_;
};

}  // namespace parid::hardware
