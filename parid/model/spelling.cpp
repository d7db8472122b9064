#include "parid/model/spelling.hpp"

#include <algorithm>
#include <cctype>

namespace parid {

int edit_distance(std::string_view a, std::string_view b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  std::vector<std::vector<int>> D(n + 1, std::vector<int>(m + 1));
  for (int i = 0; i <= n; ++i) D[i][0] = i;
  for (int j = 0; j <= m; ++j) D[0][j] = j;
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= m; ++j) {
      const int replace = D[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      D[i][j] = std::min({D[i - 1][j] + 1, D[i][j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) D[i][j] = std::min(D[i][j], D[i - 2][j - 2] + 1);
    }
  return D[n][m];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 64) return {};
  auto plain = [](std::string_view s) {
    std::string t(s);
    for (char& c : t)
      c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return t;
  };
  const std::string typed = plain(word);
  int least = std::clamp(static_cast<int>(word.size()) / 3, 1, 3) + 1;
  std::string best;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(typed, plain(candidate));
    if (distance >= least || distance >= static_cast<int>(candidate.size())) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

}  // namespace parid
