// "Did you mean": the word of a list that a mistyped one is nearest to.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parid {

// Letters to insert, delete, replace or swap with their neighbour until a reads b.
int edit_distance(std::string_view a, std::string_view b);

// The nearest of the known words, or nothing where none is near: a third of the letters, at most 3,
// may be wrong. Capitals do not count as wrong, and - reads as _.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace parid
