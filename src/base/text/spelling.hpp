// Suggests a known word for a misspelt one.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/layer.hpp"

namespace parid::base {

// Letters inserted, removed, changed, or swapped with their neighbour; case is ignored.
int edit_distance(std::string_view a, std::string_view b);

// The known word that `word` resembles, or "" if there is none. About one letter in three may be
// wrong: <orgin> is <origin>, but "rpy" is not "xyz".
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// "did you mean 'elbow'? ", or "". A prefix is enough: "puma" suggests puma560.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

// "there is no 'elbw'; did you mean 'elbow'? choose from shoulder, elbow".
std::string no_such(std::string_view word, const std::vector<std::string>& known);

}  // namespace parid::base
