// The friction case study of Dhanaraj (1990) by its printed programs, including errors, for
// comparison with the printed Table 3.5. docs/case-study.md lists the errors.
//
//   - Program D.1.2: motors' inertias in the links' Izz, the payload's inertia counted twice.
//   - Eq. 3.3 with its printed signs, and without its factor 1/d: the printed figures have none.
//   - Table 3.2 as printed; the efficiency and the journals' spacing are those of the robot file.
//
// These inertias are physically impossible, so there is no Robot with them; hence this function.

#pragma once

#include <memory>
#include <span>

#include "model/canonical_model.hpp"
#include "model/state.hpp"
#include "papers/layer.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/robot.hpp"

namespace parid::papers {

class CaseStudyAsPrinted {
 public:
  static constexpr const char* robot = "puma560-positioning";

  // Throws Error for any other robot.
  explicit CaseStudyAsPrinted(const Robot&);

  // One sample; all spans have size three.
  void torques(std::span<const double> q, std::span<const double> v, std::span<const double> a,
               const FrictionTorques& to) const;

  // Force and moment of the parent on link i = 0, 1, 2, in Craig's frame of the link.
  struct Reaction {
    double torque;
    Wrench<double> wrench;
  };
  std::array<Reaction, 3> reactions(std::span<const double> q, std::span<const double> v,
                                    std::span<const double> a) const;

 private:
  Description described_;
  std::unique_ptr<const CanonicalModel> canonical_;
};

}  // namespace parid::papers
