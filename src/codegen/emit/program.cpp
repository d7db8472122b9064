#include "codegen/emit/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "base/text/characters.hpp"
#include "graph/depth.hpp"
#include "graph/passes.hpp"

namespace parid::codegen {

std::vector<Argument> arguments(const std::vector<Named>& names) {
  std::vector<Argument> all;
  for (const Named& n : names) {
    std::size_t end = n.name.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(n.name[end - 1]))) --end;
    const std::string base = n.name.substr(0, end);
    if (all.empty() || all.back().name != base) all.push_back({base, 0});
    ++all.back().count;
    if (n.name != fmt::format("{}{}", base, all.back().count) &&
        !(end == n.name.size() && all.back().count == 1))
      throw std::logic_error("arguments: '" + n.name + "' is out of order");
  }
  return all;
}

std::string identifier(const std::string& text) {
  std::string s;
  for (const char c : text) s += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (s.empty() || std::isdigit(static_cast<unsigned char>(s[0])) != 0) s.insert(0, "_");
  return s;
}

std::string comment_line(const std::string& text) {
  std::string s;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    const char c = rest[0];
    if (!s.empty() && ((s.back() == '*' && c == '/') || (s.back() == '/' && c == '*'))) s += ' ';
    if (length == 0 || control_length(rest) > 0 || c == '\t')
      s += ' ';
    else
      s += rest.substr(0, length);
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  // A backslash at the end joins the next line to a comment (with some compilers also if blanks
  // follow), and so does its trigraph.
  const std::size_t end = s.find_last_not_of(' ') + 1;
  if (end > 0 && (s[end - 1] == '\\' || std::string_view(s).substr(0, end).ends_with("?\?/")))
    s += '.';
  return s;
}

int most_alive(const Graph& g) {
  std::vector<Id> last(g.size(), 0);  // the last user of each node
  for (Id id = 0; id < g.size(); ++id)
    for (const Id a : g[id].operands()) last[a] = id;
  std::vector<int> ends(g.size() + 1, 0);
  int alive = 0, most = 0;
  for (Id id = 0; id < g.size(); ++id) {
    if (row(g[id].op).arity > 0) {
      ++alive;
      ++ends[std::max(last[id], id)];
    }
    most = std::max(most, alive);
    alive -= ends[id];
  }
  return most;
}

std::string operations_text(const Counts& n) {
  std::string text =
      fmt::format("{} multiplications, {} additions", n.multiplications, n.additions);
  auto more = [&](long count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  more(n.divisions, "divisions");
  more(n.square_roots, "square roots");
  more(n.sin_cos, "pairs of sine and cosine");
  more(n.atan2, "arc tangents");
  return text;
}

std::vector<std::string> cost_lines(const Graph& g) {
  const Depth d = depth(g, OperationWeights{}), arithmetic = depth(g);
  std::string path = fmt::format("critical path: {} operations ({} multiplications, {} additions",
                                 d.total(), d.multiplications, d.additions);
  auto more = [&](int count, const char* what) {
    if (count > 0) path += fmt::format(", {} {}{}", count, what, count == 1 ? "" : "s");
  };
  more(d.divisions, "division");
  more(d.square_roots, "square root");
  more(d.sines, "sine");
  more(d.arc_tangents, "arc tangent");
  path += ")";
  if (arithmetic.total() != d.total())
    path += fmt::format("; {} without sines and arc tangents", arithmetic.total());
  return {operations_text(counts(g)),
          fmt::format("{} instructions if multiplications and additions are fused", fma_slots(g)),
          path, fmt::format("peak live values: {}", most_alive(g))};
}

}  // namespace parid::codegen
