// A program for CasADi: C with the interface of its external functions, with derivatives.
//
// casadi::external("NAME", "./NAME.so") loads it. CasADi finds the derivatives by their names:
//
//   NAME            the outputs
//   jac_NAME        the Jacobian, one sparse block per output and input
//   adj1_NAME       wᵀ ∂outputs/∂inputs, one sweep backwards
//   jac_adj1_NAME   its Jacobian: the second derivatives of wᵀ outputs
//
// Matrices are column-major and sparse in compressed columns, numbers are double, indices long
// long.

#pragma once

#include <string>
#include <vector>

#include "codegen/emit/languages.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

// A name that CasADi accepts: a letter first, then letters, digits and single underscores.
std::string casadi_name(const std::string&);

struct CasadiCode {
  std::string name, text;         // of the function and its C source
  Counts jacobian;                // operations of jac_NAME
  int nonzeros = 0, entries = 0;  // of the Jacobian
};

// `columns[k]`: the columns of output k, whose elements the program gives row by row; 1 for a
// vector. Inputs are column vectors.
CasadiCode emit_casadi(const Program&, const std::vector<int>& columns, const COptions&);

}  // namespace parid::codegen
