#include "base/text/spelling.hpp"

#include <algorithm>

namespace parid::base {

namespace {
char small(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  std::vector<std::vector<int>> d(n + 1, std::vector<int>(m + 1));
  for (int i = 0; i <= n; ++i) d[i][0] = i;
  for (int j = 0; j <= m; ++j) d[0][j] = j;
  const auto same = [&](int i, int j) { return small(a[i - 1]) == small(b[j - 1]); };
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= m; ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[n][m];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  // longer names are not typed by hand, and the cost is quadratic
  constexpr std::size_t longest = 100;
  std::string_view best;
  int least = 4;
  if (word.size() > longest) return best;
  for (const std::string_view candidate : known) {
    if (candidate.size() > longest) continue;
    const int allowed =
        std::max<int>(1, static_cast<int>(std::min(word.size(), candidate.size())) / 3);
    const auto [shorter, longer] = std::minmax({word.size(), candidate.size()});
    if (static_cast<int>(longer - shorter) > allowed) continue;  // a lower bound of the distance
    const int distance = edit_distance(word, candidate);
    if (std::min(word.size(), candidate.size()) >= 2 && distance <= allowed && distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return std::string(nearest(word, std::span<const std::string_view>(views)));
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  std::string near = nearest(word, known);
  if (near.empty() && word.size() >= 3)  // the prefix of a longer name: the shortest of those
    for (const std::string& name : known)
      if (edit_distance(word, std::string_view(name).substr(0, word.size())) == 0 &&
          (near.empty() || name.size() < near.size()))
        near = name;
  return near.empty() ? "" : "did you mean '" + near + "'? ";
}

std::string no_such(std::string_view word, const std::vector<std::string>& known) {
  std::string text = "there is no '" + std::string(word) + "'; " + did_you_mean(word, known);
  text += "choose from ";
  for (std::size_t k = 0; k < known.size(); ++k) text += (k ? ", " : "") + known[k];
  return text;
}

}  // namespace parid::base
