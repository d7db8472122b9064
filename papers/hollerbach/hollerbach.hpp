// Hollerbach's Tables I and II, which other papers copy: Lathrop's Table 1, Dhanaraj's Table 1.1.

#pragma once

#include <string>
#include <vector>

#include "math/polynomial.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

struct HollerbachRow {
  const char* method;
  Polynomial m, a;   // Table I: multiplications and additions of n rotary joints
  long long m6, a6;  // Table II: at n = 6
};
const std::vector<HollerbachRow>& hollerbach_tables();
const HollerbachRow& hollerbach_row(const std::string& method);

}  // namespace parid::papers
