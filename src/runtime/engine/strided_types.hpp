// Maps a number type to the strided arrays of parid/strided.hpp, for templates over it.

#pragma once

#include <type_traits>

#include "parid/strided.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

template <class Real>
using StridedIn = std::conditional_t<std::is_same_v<Real, float>, StridedInputFloat, StridedInput>;
template <class Real>
using StridedOut =
    std::conditional_t<std::is_same_v<Real, float>, StridedOutputFloat, StridedOutput>;

}  // namespace parid::runtime
