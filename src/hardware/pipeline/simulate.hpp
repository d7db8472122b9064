// Simulates a balanced pipeline stage by stage, with a different sample in every operation.
//
// Operations read the ends of their delay lines, and their results appear `latency` steps later. A
// new sample enters with every step; after `schedule.latency` steps its result is at the outputs.
// Values carry no sample number: a wrong balance gives wrong results.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <span>

#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"

namespace parid::hardware {

template <class N>
class PipelineSimulation {
 public:
  // From an operation and the values at its ports to the values of its signals in order.
  using Execute = std::function<std::vector<N>(int operation, std::span<const N> ports)>;

  PipelineSimulation(const Network& n, const Staging& s, Execute execute)
      : n_(n), s_(s), execute_(std::move(execute)), given_(n.operations.size()) {
    for (const DelayLine& l : buffers(n, s).lines) length_[l.signal] = l.length;
    for (std::size_t k = 0; k < n.signals.size(); ++k) {
      if (const int op = n.signals[k].operation; op >= 0) given_[op].push_back(static_cast<int>(k));
      const int op = n.signals[k].operation;
      // First the value that is ready now, behind it the waiting ones; for an operation, its stages
      // come first.
      held_.emplace_back(static_cast<std::size_t>(op < 0 ? 0 : n.operations[op].latency), N{});
      line_.emplace_back(static_cast<std::size_t>(length_[static_cast<int>(k)]) + 1, N{});
    }
  }

  // One step: accepts a sample and returns the values at the outputs.
  std::vector<N> step(std::span<const N> inputs) {
    std::size_t next = 0;
    for (std::size_t k = 0; k < n_.signals.size(); ++k) {
      const N now = n_.signals[k].operation < 0 ? inputs[next++] : held_[k].front();
      line_[k].push_front(now);
      line_[k].pop_back();
    }
    std::vector<N> ports;
    for (std::size_t op = 0; op < n_.operations.size(); ++op) {
      ports.clear();
      for (const int s : n_.operations[op].in) ports.push_back(read(s, s_.start[op]));
      const std::vector<N> values = execute_(static_cast<int>(op), ports);
      for (std::size_t k = 0; k < given_[op].size(); ++k) {
        auto& stages = held_[given_[op][k]];
        stages.pop_front();
        stages.push_back(values[k]);
      }
    }
    std::vector<N> out;
    for (const int s : n_.outputs) out.push_back(read(s, s_.latency));
    return out;
  }

 private:
  const N& read(int signal, int when) const {
    return line_[signal][static_cast<std::size_t>(when - s_.ready(n_, signal))];
  }

  Network n_;
  Staging s_;
  Execute execute_;
  std::vector<std::vector<int>> given_;
  std::map<int, int> length_;
  std::vector<std::deque<N>> held_, line_;
};

}  // namespace parid::hardware
