// Sources of a simulated robot's torques: none, a file, a controller.
//
// A source may be piecewise: between two of its breaks it is smooth, so that an integrator that
// ends a step at each break keeps its order. The simulation calls begin() at the start and at every
// break, then torque() at any instant up to the next one, in any order.
//
// A public header: no template, no type of another library.

#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

class PARID_EXPORT TorqueSource {
 public:
  virtual ~TorqueSource() = default;
  virtual void begin(double t, std::span<const double> q, std::span<const double> v) {
    (void)t, (void)q, (void)v;
  }
  // Robots with elastic joints: the links' state, before begin() and torque() give the measured
  // one.
  virtual void set_links(std::span<const double> q, std::span<const double> v) { (void)q, (void)v; }
  // After begin(): the next instant at which it is not smooth.
  virtual double next_break() const { return std::numeric_limits<double>::infinity(); }
  virtual void torque(double t, std::span<const double> q, std::span<const double> v,
                      std::span<double> tau) = 0;
  // After begin(): the reason why it cannot continue, and the simulation ends as diverged; or "".
  virtual std::string gives_up() const { return ""; }
};

// Interpolation between two samples.
enum class Hold { linear, zero_order };

// Torques at times, as given by a file. The first row holds before the first time, the last row
// after the last.
struct TorqueSamples {
  std::vector<double> t;
  std::vector<double> tau;  // (t.size(), nv)
};
// CSV with t and tau:JOINT… in any order (or tau1…), as `parid torque -o` writes it; .npz or .h5
// with t and tau.
PARID_EXPORT TorqueSamples read_torques(const Robot&, const std::string& path);

using ControlLaw = std::function<void(double t, std::span<const double> q,
                                      std::span<const double> v, std::span<double> tau)>;

PARID_EXPORT std::unique_ptr<TorqueSource> no_torque();
PARID_EXPORT std::unique_ptr<TorqueSource> open_loop(TorqueSamples, Hold = Hold::linear);
// Evaluated continuously, at every instant that the integrator needs.
PARID_EXPORT std::unique_ptr<TorqueSource> continuous_control(ControlLaw);
// Evaluated `rate` times per second; the torques are held in between.
PARID_EXPORT std::unique_ptr<TorqueSource> sampled_control(const Robot&, ControlLaw, double rate);

}  // namespace parid
