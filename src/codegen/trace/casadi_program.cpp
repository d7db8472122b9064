#include "codegen/trace/casadi_program.hpp"

#include <fmt/format.h>

#include "parid/error.hpp"

namespace parid::codegen {
namespace {

int columns_of(ArrayShape shape, int count, int nv) {
  switch (shape) {
    case ArrayShape::square:
    case ArrayShape::jacobian:
    case ArrayShape::point_jacobian: return nv;
    case ArrayShape::rotation: return 3;
    case ArrayShape::spatial: return 6;
    case ArrayShape::regressor: return count / nv;
    default: return 1;
  }
}

}  // namespace

void require_casadi(Quantity which) {
  switch (which) {
    case Quantity::inverse_kinematics:
    case Quantity::inverse_kinematics_step:
      throw Error(
          fmt::format("`casadi`: '{}' has no derivative at the borders of the workspace; "
                      "generate 'kinematics' and let CasADi solve for the pose",
                      name(which)));
    case Quantity::inverse_gradient:
    case Quantity::inverse_vector_product:
    case Quantity::inverse_jacobian_product:
    case Quantity::inverse_hessian_product:
    case Quantity::inverse_parameter_vector_product:
    case Quantity::inverse_parameter_jacobian_product:
      throw Error(
          fmt::format("`casadi`: '{}' is a derivative; generate 'inverse', which brings its "
                      "derivatives for CasADi",
                      name(which)));
    case Quantity::forward_gradient:
    case Quantity::forward_vector_product:
    case Quantity::forward_jacobian_product:
    case Quantity::forward_parameter_vector_product:
    case Quantity::forward_parameter_jacobian_product:
      throw Error(
          fmt::format("`casadi`: '{}' is a derivative; generate 'forward', which brings its "
                      "derivatives for CasADi",
                      name(which)));
    default: break;
  }
}

CasadiCode casadi_code(const Robot& robot, Quantity which, const Generated& made,
                       const COptions& options) {
  require_casadi(which);
  std::vector<int> columns;
  for (const Argument& a : made.program.outputs) {
    int width = 1;
    for (const ArrayInfo& array : info(which).outputs)
      if (array.name == a.name) width = columns_of(array.shape, a.count, robot.nv());
    columns.push_back(width);
  }
  return emit_casadi(made.program, columns, options);
}

}  // namespace parid::codegen
