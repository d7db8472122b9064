// Programs that papers print, as data: they can be run, counted, and searched for errors.
//
// A listing is a text of assignments, separated by ';' or line ends, in a small language: numbers
// and matrices [a b; c d], + - * / ^ and ' (transposed), elements m(2) and m(2,1), and sin, cos,
// sqrt, atan2, abs, trace, inv, cross. It is run literally: a name that nothing sets stays unknown,
// a statement that cannot be parsed is left out.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "papers/counting.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

struct Matrix {
  int rows = 1, columns = 1;
  std::vector<double> x{0.0};  // row by row

  Matrix() = default;
  Matrix(double number) : x{number} {}  // a number is a matrix
  Matrix(int r, int c) : rows(r), columns(c), x(static_cast<std::size_t>(r * c)) {}
  double& at(int i, int j) { return x[static_cast<std::size_t>(i * columns + j)]; }
  double at(int i, int j) const { return x[static_cast<std::size_t>(i * columns + j)]; }
};
using Values = std::map<std::string, Matrix, std::less<>>;

class Listing {
 public:
  explicit Listing(std::string_view text);

  // With corrected statements. Each replaces the one that sets the same name, or is inserted where
  // its name is first read, or at the end.
  Listing with(std::string_view corrections) const;
  // With every `from` replaced by `to`.
  Listing renamed(const std::string& from, const std::string& to) const;

  struct Faults {
    // statements that cannot be parsed, by the names that they would set
    std::vector<std::string> unreadable;
    std::vector<std::string> unknown;  // names that are read and never set
    std::vector<std::string> early;    // names that are read before they are set
    std::vector<std::string> unread;   // set, and no result depends on it

    std::size_t count() const {
      return unreadable.size() + unknown.size() + early.size() + unread.size();
    }
    std::string text() const;
  };
  Faults faults(const std::set<std::string>& given, const std::set<std::string>& results) const;

  Operations operations() const;  // signs in the text: '*', and '+' or '-' between two terms
  int statements() const { return static_cast<int>(statement_.size()); }

  // All values that are set. Throws std::logic_error at a name that is not yet set.
  Values run(Values given) const;

  struct Expression;

 private:
  struct Statement {
    std::string sets, text;
    std::shared_ptr<const Expression> value;  // none: it cannot be read
  };
  static Statement statement(std::string_view);

  std::vector<Statement> statement_;
};

}  // namespace parid::papers
