#include "identification/base_choice.hpp"

#include "identification/base_columns.hpp"
#include "parid/dynamics.hpp"

namespace parid::identification {

ParameterChoice base_choice(const Robot& robot, bool gravity_is_input) {
  const BaseColumns base =
      base_columns(gravity_is_input ? robot.with_gravity({3.1, -4.7, 8.3}) : robot);
  const std::vector<double> given = regressor_parameters(robot);
  ParameterChoice choice;
  choice.kept = base.kept;
  for (std::size_t k = 0; k < base.kept.size(); ++k) {
    double value = 0;
    for (std::size_t s = 0; s < given.size(); ++s) value += base.share(k, s) * given[s];
    choice.values.push_back(value);
    choice.meanings.push_back(base.meaning(k, 4));
  }
  return choice;
}

}  // namespace parid::identification
