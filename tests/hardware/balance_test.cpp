// Delay balancing: against GLPK's integer programs, and on a graph too large to look at.

#include "hardware/pipeline/balance.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <regex>

#include "hardware/pipeline/simulate.hpp"
#include "tests/base/scratch.hpp"
#include "tests/hardware/tools.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

Network random_network(int operations, unsigned seed, int near = 300) {
  std::mt19937 random(seed);
  Network n;
  std::vector<int> signals;
  for (int k = 0; k < 4; ++k) signals.push_back(n.input("in"));
  for (int op = 0; op < operations; ++op) {
    Network::Operation o{1 + static_cast<int>(random() % 3), {}, ""};
    for (int port = 0; port < 2; ++port) {
      const std::size_t reach = std::min<std::size_t>(signals.size(), near);
      o.in.push_back(signals[signals.size() - 1 - random() % reach]);
    }
    n.operations.push_back(o);
    signals.push_back(n.output_of(op));
    if (random() % 5 == 0) signals.push_back(n.output_of(op));
  }
  for (int k = 0; k < 4; ++k) n.outputs.push_back(signals[signals.size() - 1 - k]);
  return n;
}

// The least buffering as an integer program, in the format that others read.
std::string program_text(const Network& n, Chains chains) {
  const int T = earliest(n).latency;
  std::string cost, subject;
  int edge = 0;
  auto use = [&](int s, int reader) {
    const int from = n.signals[s].operation;
    const std::string end = reader < 0 ? "T" : fmt::format("t{}", reader);
    const std::string line =
        chains == Chains::shared ? fmt::format("L{}", s) : fmt::format("E{}", edge++);
    if (chains != Chains::shared) cost += fmt::format(" + {}", line);
    const int latency = from < 0 ? 0 : n.operations[from].latency;
    const std::string begin = from < 0 ? "" : fmt::format(" - t{}", from);
    subject += fmt::format(" {}{} >= {}\n", end, begin, latency);
    subject += fmt::format(" {} - {}{} >= {}\n", line, end,
                           from < 0 ? "" : fmt::format(" + t{}", from), -latency);
  };
  for (std::size_t op = 0; op < n.operations.size(); ++op) {
    subject += fmt::format(" T - t{} >= {}\n", op, n.operations[op].latency);
    std::vector<int> in = n.operations[op].in;
    if (chains != Chains::per_port) {
      std::sort(in.begin(), in.end());
      in.erase(std::unique(in.begin(), in.end()), in.end());
    }
    for (const int s : in) use(s, static_cast<int>(op));
  }
  for (const int s : n.outputs) use(s, -1);
  std::string general = " T";
  if (chains == Chains::shared)
    for (std::size_t s = 0; s < n.signals.size(); ++s) cost += fmt::format(" + L{}", s);
  for (std::size_t op = 0; op < n.operations.size(); ++op) general += fmt::format(" t{}", op);
  return fmt::format("Minimize\n cost:{}\nSubject To\n{} T = {}\nGenerals\n{}\nEnd\n", cost,
                     subject, T, general);
}

TEST(Balance, CostsWhatAnIntegerProgramSaysItMust) {
  if (!installed("glpsol")) GTEST_SKIP() << "SKIPPED: glpsol is not installed";
  Scratch scratch;
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const Chains chains : {Chains::shared, Chains::per_edge, Chains::per_port}) {
      const Network n = random_network(25, seed, 12);
      const std::string file = scratch.file("program.lp", program_text(n, chains));
      const Said said = shell("glpsol --lp " + file + " -o " + scratch.path("answer"));
      ASSERT_EQ(said.code, 0) << said.text;
      std::smatch found;
      const std::string answer = content(scratch.path("answer"));
      ASSERT_TRUE(std::regex_search(answer, found, std::regex("Objective: +cost = ([0-9]+)")))
          << answer;
      const Buffers b = buffers(n, balanced(n, chains));
      const long ours = chains == Chains::shared     ? b.shared
                        : chains == Chains::per_edge ? b.per_edge
                                                     : b.per_port;
      EXPECT_EQ(ours, std::stol(found[1])) << seed;
    }
}

TEST(Balance, PushingCostsWhatNetworkSimplexSays) {
  for (unsigned seed = 1; seed <= 40; ++seed)
    for (const int near : {3, 30, 1 << 30}) {
      const Network n = random_network(20 + 20 * static_cast<int>(seed), seed, near);
      for (const Chains chains : {Chains::shared, Chains::per_edge, Chains::per_port}) {
        const Buffers pushed = buffers(n, balanced(n, chains, Solver::pushing)),
                      pivoted = buffers(n, balanced(n, chains, Solver::simplex));
        if (chains == Chains::shared) {
          EXPECT_EQ(pushed.shared, pivoted.shared) << seed;
        }
        if (chains != Chains::per_port) {
          EXPECT_EQ(pushed.per_edge, pivoted.per_edge) << seed;
        } else {
          EXPECT_EQ(pushed.per_port, pivoted.per_port) << seed;
        }
      }
    }
}

TEST(Balance, IsNeverWorseThanTheEarliestOrTheLatestAndKeepsTheLatency) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Network n = random_network(200, seed, 40);
    const Staging s = balanced(n);
    const Buffers b = buffers(n, s);
    check(n, s, b.lines);
    EXPECT_EQ(s.latency, earliest(n).latency);
    EXPECT_LE(b.shared, buffers(n, earliest(n)).shared);
    EXPECT_LE(b.shared, buffers(n, latest(n)).shared);
    EXPECT_LE(b.shared, b.per_edge);
    EXPECT_LE(b.per_edge, b.per_port);
  }
}

TEST(Balance, CheckFindsAMissingChain) {
  const Network n = random_network(60, 3, 20);
  const Staging s = balanced(n);
  std::vector<DelayLine> lines = buffers(n, s).lines;
  ASSERT_FALSE(lines.empty());
  lines.pop_back();
  EXPECT_THROW(check(n, s, lines), std::logic_error);
  Staging early = s;
  early.start.back() = 0;
  EXPECT_THROW(check(n, early, buffers(n, s).lines), std::logic_error);
}

// Each operation adds; a stream of samples must give the result of each single sample.
TEST(Balance, StreamsGiveWhatEachSampleGivesAlone) {
  const Network n = random_network(120, 9, 30);
  const Staging s = balanced(n);
  auto execute = [&](int op, std::span<const double> in) {
    std::vector<double> out;
    for (const auto& signal : n.signals)
      if (signal.operation == op)
        out.push_back(in[0] * 0.75 - in[1] * 0.5 + op + static_cast<double>(out.size()));
    return out;
  };
  auto alone = [&](const std::vector<double>& inputs) {
    std::vector<double> value;
    for (std::size_t k = 0; k < 4; ++k) value.push_back(inputs[k]);
    for (std::size_t k = 4, first = 4; k < n.signals.size(); ++k) {
      const int op = n.signals[k].operation;
      if (n.signals[k - 1].operation != op) first = k;
      const auto& in = n.operations[op].in;
      value.push_back(value[in[0]] * 0.75 - value[in[1]] * 0.5 + op +
                      static_cast<double>(k - first));
    }
    std::vector<double> out;
    for (const int o : n.outputs) out.push_back(value[o]);
    return out;
  };
  PipelineSimulation<double> pipe(n, s, execute);
  std::mt19937 random(1);
  std::uniform_real_distribution<> draw(-1, 1);
  std::vector<std::vector<double>> samples;
  for (int t = 0; t < 300; ++t) {
    samples.push_back({draw(random), draw(random), draw(random), draw(random)});
    const auto out = pipe.step(samples.back());
    if (t >= s.latency) {
      EXPECT_EQ(out, alone(samples[t - s.latency])) << t;
    }
  }
}

TEST(Balance, LargeNetworksAreBalancedToo) {
  const Network n = random_network(20'000, 5);
  const Staging s = balanced(n);
  check(n, s, buffers(n, s).lines);
  EXPECT_LT(buffers(n, s).shared, buffers(n, earliest(n)).shared);
}

}  // namespace
}  // namespace parid::test
