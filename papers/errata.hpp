// Errors in a paper's equations, with corrections and effects, for readers who implement them.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/state.hpp"
#include "papers/claim.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

struct Erratum {
  std::string paper, where, printed, corrected;
  std::string effect;  // computed
  std::string code;    // that computes it
};

class Errata {
 public:
  explicit Errata(std::string paper) : paper_(std::move(paper)) {}

  void add(std::string where, std::string printed, std::string corrected, std::string effect,
           std::string code) {
    all_.push_back({paper_, std::move(where), std::move(printed), std::move(corrected),
                    std::move(effect), std::move(code)});
  }
  const std::vector<Erratum>& all() const { return all_; }

 private:
  std::string paper_;
  std::vector<Erratum> all_;
};

// ---- equations that give torques

// Joint torques [1..n] of a mechanism in a state, by some equations.
using JointTorques =
    std::function<void(const Mechanism<double>&, const State<double>&, double* tau)>;

// The largest error over deterministic random states: N m, or N.
struct Effect {
  double largest = 0, of = 0;  // difference; torque
  std::string robot;

  bool none() const { return largest < 1e-11 * of; }
  std::string text() const;  // "31 of 96 N m (puma560)"
};
Effect effect(const std::string& robot, const JointTorques&);

// An equation as printed, within otherwise correct ones.
struct PrintedEquation {
  const char *where, *printed, *corrected, *robot;
  JointTorques torques;
};
void add_claims(Claims&, const std::vector<PrintedEquation>&, const char* code);
void add_errata(Errata&, const std::vector<PrintedEquation>&, const char* code);

}  // namespace parid::papers
