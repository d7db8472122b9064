// Integrators. The list is at the end; --integrator, its help and the tests read it.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simulation/layer.hpp"
#include "simulation/plant.hpp"

namespace parid::simulation {

class Integrator {
 public:
  explicit Integrator(Plant& plant) : plant_(plant), end_(static_cast<std::size_t>(plant.size())) {}
  virtual ~Integrator() = default;

  // A step from the plant's state over h. Returns false if numbers overflow.
  virtual bool step(double h) = 0;
  const double* end() const { return end_.data(); }  // y there, in the plant's chart

  // Error of the last step as a multiple of `tolerance` (rad, m; for rad/s, m/s, multiplied by 1 +
  // speed). 0 if the method has no estimate.
  virtual double error(double tolerance) const { return (void)tolerance, 0; }
  // y at a fraction of the last step. Not called for methods with fixed steps, which only have the
  // ends.
  virtual void at(double share, double* y) const { (void)share, (void)y; }
  // Called when the plant has moved to the end of the last step, and torques and friction continue
  // smoothly from there.
  virtual void goes_on() {}
  // Called when the state, torques or friction have changed abruptly.
  virtual void starts_anew() {}

 protected:
  Plant& plant_;
  std::vector<double> end_;
};

struct IntegratorEntry {
  const char* id;
  int order;
  bool adaptive;
  const char* what;
  std::unique_ptr<Integrator> (*make)(Plant&);
};
std::span<const IntegratorEntry> integrators();

// Throws Error with all names and the nearest one if the id is unknown.
const IntegratorEntry& integrator(const std::string& id);

std::unique_ptr<Integrator> make_dormand_prince(Plant&);
std::unique_ptr<Integrator> make_runge_kutta(Plant&);
std::unique_ptr<Integrator> make_symplectic(Plant&);

}  // namespace parid::simulation
