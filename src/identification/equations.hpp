// The equations of logs: measured torques, torques of the model and their derivatives, sample by
// sample, filtered alike.
//
// Source   Gautier: Dynamic identification of robots with power model (1997): v and a come from
//          filtered positions; torques and all columns of the regressor then pass through the same
//          low-pass (the parallel filter), which does not change the parameters, and only as many
//          samples are kept as the cut-off needs.
// Differs  the parallel filter has the cut-off of the positions' filter, and both are zero-phase.
//
// A filtered log loses its ends, where the filters depend on how they extend a signal.

#pragma once

#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "identification/layer.hpp"
#include "identification/torque_model.hpp"
#include "parid/sampled_trajectory.hpp"
#include "parid/trajectory.hpp"

namespace parid::identification {

// Logs with filtered positions and the filter of each. Those without a filter are used in place and
// must outlive this.
class PreparedLogs {
 public:
  PreparedLogs(const Robot&, std::span<const SampledTrajectory>, const FilterOptions&);

  struct Log {
    const SampledTrajectory* motion;
    FilterReport filter;
    std::size_t first = 0, end = 0, step = 1;  // the samples that are used
    std::size_t rows() const { return end > first ? (end - first + step - 1) / step : 0; }
  };
  const std::vector<Log>& logs() const { return logs_; }
  std::vector<FilterReport> filters() const;

 private:
  std::vector<Log> logs_;
  std::deque<SampledTrajectory> filtered_;
};

class Equations {
 public:
  // Throws Error if `rest` is negative, or if no joint is ever faster.
  Equations(TorqueModel&, const PreparedLogs&, double rest);

  std::size_t rows() const { return rows_; }  // of all logs

  struct Row {
    std::size_t log, sample;  // before the filter
    std::size_t index;        // among the rows of all logs
    double place;             // in its log, from 0 to 1
    const double* measured;   // nv
    const double* tau;        // nv, at x
    const double* by;         // (nv, parameters); null if not requested
    bool first;               // of its log
  };
  using Visit = std::function<void(const Row&)>;
  void each(std::span<const double> x, bool derivatives, const Visit&);

  // Whether a torque counts: not if its joint has friction and is at rest.
  bool counts(const Row&, std::size_t torque) const;

  // Torques of the model at x along a motion: (rows, nv).
  std::vector<double> torques(const SampledTrajectory&, std::span<const double> x);

 private:
  void each_filtered(std::size_t log, std::span<const double> x, bool derivatives, const Visit&);

  TorqueModel& model_;
  const PreparedLogs& logs_;
  double rest_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> start_;  // first row of each log
  std::vector<bool> moves_;
  std::vector<double> tau_, by_;
};

}  // namespace parid::identification
