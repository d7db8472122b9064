// Ways to take a step. The one list is at the end: --integrator, its help and the tests walk it.
//
// simulate/ moves robots forward in time. It includes run/, motion/ and below.

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

  // From where the plant stands, over h. False where numbers end.
  virtual bool step(double h) = 0;
  const double* end() const { return end_.data(); }  // y there, in the plant's chart

  // Of the last step: how far it was off, as a multiple of `tolerance` (rad, m; rad/s, m/s, those
  // times 1 + speed). 0 where the method does not know.
  virtual double error(double tolerance) const { return (void)tolerance, 0; }
  // y at a share of the last step. Methods with fixed steps know their ends alone, and are not
  // asked.
  virtual void at(double share, double* y) const { (void)share, (void)y; }
  // The plant has moved to the end of the last step, and torques and friction go on smoothly from
  // there.
  virtual void goes_on() {}
  // It stands somewhere else, or does not.
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

// Throws Error with all names, and the one that was probably meant.
const IntegratorEntry& integrator(const std::string& id);

std::unique_ptr<Integrator> make_dormand_prince(Plant&);
std::unique_ptr<Integrator> make_runge_kutta(Plant&);
std::unique_ptr<Integrator> make_symplectic(Plant&);

}  // namespace parid::simulation
