#include "papers/listing.hpp"
#include "papers/layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace parid::papers {

// A number, a name, or an operation by its sign: + - * / ^, ~ (a sign change), ' (transposed), [ (a
// matrix; `rows` has the number of parts of each row), ( (a function or an element, named by
// `name`).
struct Listing::Expression {
  char what = '0';
  double number = 0;
  std::string name;
  std::vector<std::size_t> rows;
  std::vector<std::shared_ptr<const Expression>> of;
};

namespace {

using Expression = Listing::Expression;
using Part = std::shared_ptr<const Expression>;

struct Unreadable {};

Part made(char what, std::vector<Part> of, std::string name = {},
          std::vector<std::size_t> rows = {}) {
  return std::make_shared<Expression>(
      Expression{what, 0, std::move(name), std::move(rows), std::move(of)});
}

const std::set<std::string>& functions() {
  static const std::set<std::string> all{"sin", "cos",   "sqrt", "atan2",
                                         "abs", "trace", "inv",  "cross"};
  return all;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Part all() {
    Part e = sum();
    if (peek() != 0) throw Unreadable();
    return e;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool next_is(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void need(char c) {
    if (!next_is(c)) throw Unreadable();
  }

  // Within a matrix a space separates, so that sums are in parentheses or without spaces.
  bool ends_element() const { return row_ > 0 && at_ < text_.size() && text_[at_] == ' '; }

  Part sum() {
    Part left = term();
    for (;;) {
      if (ends_element()) return left;
      const char c = peek();
      if (c != '+' && c != '-') return left;
      ++at_;
      left = made(c, {left, term()});
    }
  }
  Part term() {
    Part left = factor();
    for (;;) {
      if (ends_element()) return left;
      const char c = peek();
      if (c != '*' && c != '/') return left;
      ++at_;
      left = made(c, {left, factor()});
    }
  }
  Part factor() {
    if (next_is('-')) return made('~', {factor()});
    Part left = primary();
    while (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '^')) {
      const char c = text_[at_++];
      left = c == '^' ? made('^', {left, primary()}) : made('\'', {left});
    }
    return left;
  }
  Part primary() {
    const char c = peek();
    if (next_is('(')) {
      const int outside = std::exchange(row_, 0);
      Part inside = sum();
      row_ = outside;
      need(')');
      return inside;
    }
    if (next_is('[')) return matrix();
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (!std::isalpha(static_cast<unsigned char>(c))) throw Unreadable();
    std::string name;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])))
      name += text_[at_++];
    if (at_ >= text_.size() || text_[at_] != '(')
      return std::make_shared<Expression>(Expression{'a', 0, std::move(name), {}, {}});
    ++at_;
    const int outside = std::exchange(row_, 0);
    std::vector<Part> of{sum()};
    while (next_is(',')) of.push_back(sum());
    row_ = outside;
    need(')');
    return made('(', std::move(of), std::move(name));
  }
  Part number() {
    std::size_t used = 0;
    const double value = std::stod(std::string(text_.substr(at_, 32)), &used);
    at_ += used;
    return std::make_shared<Expression>(Expression{'0', value, {}, {}, {}});
  }
  Part matrix() {
    std::vector<Part> of;
    std::vector<std::size_t> rows{0};
    ++row_;
    while (!next_is(']')) {
      if (peek() == 0) throw Unreadable();
      if (next_is(';'))
        rows.push_back(0);
      else {
        of.push_back(sum());
        ++rows.back();
      }
    }
    --row_;
    return made('[', std::move(of), {}, std::move(rows));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int row_ = 0;  // how many matrices deep
};

void names_in(const Expression& e, std::set<std::string>& found) {
  if (e.what == 'a' || (e.what == '(' && !functions().count(e.name))) found.insert(e.name);
  for (const Part& p : e.of) names_in(*p, found);
}

// All possible names in a text that cannot be parsed.
void words_in(std::string_view text, std::set<std::string>& found) {
  std::string word;
  for (const char c : std::string(text) + ' ') {
    if (std::isalnum(static_cast<unsigned char>(c)))
      word += c;
    else if (!word.empty())
      found.insert(std::exchange(word, {}));
  }
}

Matrix sum(const Matrix& a, const Matrix& b, double sign) {
  if (a.rows != b.rows || a.columns != b.columns) throw std::logic_error("listing: sizes differ");
  Matrix c = a;
  for (std::size_t k = 0; k < c.x.size(); ++k) c.x[k] += sign * b.x[k];
  return c;
}
Matrix product(const Matrix& a, const Matrix& b) {
  if (a.x.size() == 1 || b.x.size() == 1) {
    Matrix c = a.x.size() == 1 ? b : a;
    for (double& x : c.x) x *= a.x.size() == 1 ? a.x[0] : b.x[0];
    return c;
  }
  if (a.columns != b.rows) throw std::logic_error("listing: sizes differ");
  Matrix c(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j)
      for (int k = 0; k < a.columns; ++k) c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}
Matrix transposed(const Matrix& a) {
  Matrix c(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) c.at(j, i) = a.at(i, j);
  return c;
}
Matrix inverse(Matrix a) {
  const int n = a.rows;
  Matrix b(n, n);
  for (int i = 0; i < n; ++i) b.at(i, i) = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k; i < n; ++i)
      if (std::abs(a.at(i, k)) > std::abs(a.at(pivot, k))) pivot = i;
    for (int j = 0; j < n; ++j) {
      std::swap(a.at(k, j), a.at(pivot, j));
      std::swap(b.at(k, j), b.at(pivot, j));
    }
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double l = a.at(i, k) / a.at(k, k);
      for (int j = 0; j < n; ++j) {
        a.at(i, j) -= l * a.at(k, j);
        b.at(i, j) -= l * b.at(k, j);
      }
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) b.at(i, j) /= a.at(i, i);
  return b;
}
Matrix called(const std::string& name, const std::vector<Matrix>& x) {
  const double a = x[0].x[0];
  if (name == "sin") return std::sin(a);
  if (name == "cos") return std::cos(a);
  if (name == "sqrt") return std::sqrt(a);
  if (name == "abs") return std::abs(a);
  if (name == "atan2") return std::atan2(a, x.at(1).x[0]);
  if (name == "inv") return inverse(x[0]);
  if (name == "trace") {
    double t = 0;
    for (int i = 0; i < x[0].rows; ++i) t += x[0].at(i, i);
    return t;
  }
  const std::vector<double>&u = x[0].x, &v = x.at(1).x;
  Matrix c(3, 1);
  for (std::size_t i = 0; i < 3; ++i)
    c.x[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
  return c;
}

// Parts side by side fill rows; `rows` has the number of parts of each row of the brackets.
Matrix stacked(const std::vector<std::size_t>& rows, const std::vector<Matrix>& parts) {
  Matrix c(0, 0);
  std::size_t first = 0;
  for (const std::size_t count : rows) {
    const int height = parts.at(first).rows;
    for (int i = 0; i < height; ++i)
      for (std::size_t k = first; k < first + count; ++k)
        for (int j = 0; j < parts[k].columns; ++j) c.x.push_back(parts[k].at(i, j));
    c.rows += height;
    first += count;
  }
  c.columns = static_cast<int>(c.x.size()) / c.rows;
  return c;
}

Matrix value(const Expression& e, const Values& known) {
  if (e.what == '0') return e.number;
  auto look_up = [&]() -> const Matrix& {
    const auto found = known.find(e.name);
    if (found == known.end()) throw std::logic_error("listing: '" + e.name + "' is not known");
    return found->second;
  };
  if (e.what == 'a') return look_up();
  std::vector<Matrix> x;
  for (const Part& p : e.of) x.push_back(value(*p, known));
  switch (e.what) {
    case '+': return sum(x[0], x[1], 1);
    case '-': return sum(x[0], x[1], -1);
    case '*': return product(x[0], x[1]);
    case '/': return product(x[0], 1 / x[1].x[0]);
    case '^': return std::pow(x[0].x[0], x[1].x[0]);
    case '~': return product(x[0], -1);
    case '\'': return transposed(x[0]);
    case '[': return stacked(e.rows, x);
    default: break;
  }
  if (functions().count(e.name)) return called(e.name, x);
  const int i = static_cast<int>(x[0].x[0]) - 1,
            j = x.size() > 1 ? static_cast<int>(x[1].x[0]) - 1 : 0;
  return look_up().at(i, j);
}

std::string trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return std::string(s);
}

std::vector<std::string> statements_in(std::string_view text) {
  std::vector<std::string> all;
  std::string one;
  int depth = 0;
  auto end = [&] {
    if (const std::string s = trimmed(one); !s.empty()) all.push_back(s);
    one.clear();
  };
  for (const char c : text) {
    depth += (c == '[') - (c == ']');
    if (depth == 0 && (c == ';' || c == '\n'))
      end();
    else
      one += c == '\n' ? ' ' : c;
  }
  end();
  return all;
}

}  // namespace

Listing::Statement Listing::statement(std::string_view text) {
  const std::size_t equals = text.find('=');
  Statement s{trimmed(text.substr(0, equals)), std::string(text), nullptr};
  if (equals == std::string_view::npos)
    throw std::logic_error("listing: '" + s.text + "' sets nothing");
  try {
    s.value = Reader(text.substr(equals + 1)).all();
  } catch (const Unreadable&) {
  }
  return s;
}

Listing::Listing(std::string_view text) {
  for (const std::string& s : statements_in(text)) statement_.push_back(statement(s));
}

Listing Listing::with(std::string_view corrections) const {
  Listing out = *this;
  // Backwards, so that two new statements before the same reader keep their order.
  const std::vector<std::string> all = statements_in(corrections);
  for (auto text = all.rbegin(); text != all.rend(); ++text) {
    Statement s = statement(*text);
    auto at = std::find_if(out.statement_.begin(), out.statement_.end(),
                           [&](const Statement& o) { return o.sets == s.sets; });
    if (at != out.statement_.end()) {
      *at = std::move(s);
      continue;
    }
    at = std::find_if(out.statement_.begin(), out.statement_.end(), [&](const Statement& o) {
      std::set<std::string> read;
      if (o.value) names_in(*o.value, read);
      return read.count(s.sets) > 0;
    });
    out.statement_.insert(at, std::move(s));
  }
  return out;
}

Listing Listing::renamed(const std::string& from, const std::string& to) const {
  std::string text;
  for (const Statement& s : statement_) {
    std::string word;
    auto end = [&] {
      text += word == from ? to : word;
      word.clear();
    };
    for (const char c : s.text) {
      if (std::isalnum(static_cast<unsigned char>(c)))
        word += c;
      else {
        end();
        text += c;
      }
    }
    end();
    text += '\n';
  }
  return Listing(text);
}

Listing::Faults Listing::faults(const std::set<std::string>& given,
                                const std::set<std::string>& results) const {
  Faults f;
  std::set<std::string> sets, known = given, seen;
  for (const Statement& s : statement_) sets.insert(s.sets);
  for (const Statement& s : statement_) {
    if (!s.value) {
      f.unreadable.push_back(s.sets);
      known.insert(s.sets);
      continue;
    }
    std::set<std::string> read;
    names_in(*s.value, read);
    for (const std::string& name : read) {
      if (known.count(name) || !seen.insert(name).second) continue;
      (sets.count(name) ? f.early : f.unknown).push_back(name);
    }
    known.insert(s.sets);
  }
  std::set<std::string> needed = results;
  for (auto s = statement_.rbegin(); s != statement_.rend(); ++s) {
    if (!needed.count(s->sets))
      f.unread.push_back(s->sets);
    else if (s->value)
      names_in(*s->value, needed);
    else
      words_in(s->text, needed);
  }
  std::reverse(f.unread.begin(), f.unread.end());
  return f;
}

std::string Listing::Faults::text() const {
  std::vector<std::string> parts;
  auto add = [&](const char* kind, const std::vector<std::string>& names) {
    if (!names.empty()) parts.push_back(fmt::format("{}: {}", kind, fmt::join(names, ", ")));
  };
  add("unreadable", unreadable);
  add("never set", unknown);
  add("read before set", early);
  add("never read", unread);
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, "; "));
}

Operations Listing::operations() const {
  Operations n;
  for (const Statement& s : statement_) {
    char before = '=';
    for (const char c : s.text.substr(s.text.find('=') + 1)) {
      if (c == ' ') continue;
      n.m += c == '*';
      n.a += (c == '+' || c == '-') && std::string_view("=(*+-").find(before) == std::string::npos;
      before = c;
    }
  }
  return n;
}

Values Listing::run(Values known) const {
  for (const Statement& s : statement_)
    if (s.value) known[s.sets] = value(*s.value, known);
  return known;
}

}  // namespace parid::papers
