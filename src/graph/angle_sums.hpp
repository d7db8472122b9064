// Sines and cosines of sums in place of their expansions, where that takes fewer operations.
//
//   r·cos a·cos b − r·sin a·sin b  →  r·cos(a + b)        r·sin a·cos b + r·cos a·sin b  →  r·sin(a
//                                     + b)
//   r·cos a·cos b + r·sin a·sin b  →  r·cos(a − b)        r·sin a·cos b − r·cos a·sin b  →  r·sin(a
//                                     − b)
//
// So joints on parallel axes turn what follows by the sum of their angles. Terms are found anywhere
// in a sum, factors anywhere in a product. With a = b the third is r: squares of a sine and its
// cosine make one.
//
// Neither multiplications nor additions get more. A pair of sine and cosine may come in addition
// where that saves as many of them as a pair takes time, about sixteen. Values change by rounding
// only.

#pragma once

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

Graph angle_sums(const Graph&);  // simplified

}  // namespace parid::graph
