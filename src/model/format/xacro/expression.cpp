#include "model/format/xacro/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/text/beyond_range.hpp"

namespace parid::model::xacro {
namespace {

using Tree = std::unique_ptr<Expression>;
using Kind = Expression::Kind;

constexpr int deepest = 60;  // nesting of brackets and operators
constexpr std::size_t longest_expression = 100'000;

constexpr std::string_view keywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_keyword(std::string_view word) {
  return std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
}

struct Token {
  enum class Kind { end, number, string, name, mark };
  Kind kind = Kind::end;
  std::string text;  // of a string: its characters
  Value value;       // of a number
  std::size_t at = 0;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> tokens() {
    std::vector<Token> all;
    do all.push_back(next());
    while (all.back().kind != Token::Kind::end);
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    throw std::invalid_argument(fmt::format("{} at character {}", what, at + 1));
  }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  Token next() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
    Token token;
    token.at = at_;
    if (at_ >= text_.size()) return token;
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number(token);
    } else if (is_letter(c)) {
      while (is_letter(peek()) || is_digit(peek())) token.text += text_[at_++];
      token.kind = Token::Kind::name;
    } else if (c == '\'' || c == '"') {
      string(token);
    } else {
      mark(token);
    }
    return token;
  }

  void number(Token& token) {
    token.kind = Token::Kind::number;
    std::string digits;
    const std::size_t begin = at_;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      at_ += 2;
      while (std::isxdigit(static_cast<unsigned char>(peek()))) digits += text_[at_++];
      integer(token, digits, 16, begin);
    } else {
      bool whole = true;
      const auto take_digits = [&] {
        while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)))) {
          if (peek() != '_') digits += peek();
          ++at_;
        }
      };
      take_digits();
      if (peek() == '.') {
        whole = false;
        digits += text_[at_++];
        take_digits();
      }
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
        whole = false;
        digits += text_.substr(at_, 1 + sign);
        at_ += 1 + sign;
        take_digits();
      }
      if (whole)
        integer(token, digits, 10, begin);
      else
        token.value = Value(real(digits));
    }
    if (is_letter(peek())) fail(fmt::format("'{}' after a number", peek()), at_);
  }
  void integer(Token& token, const std::string& digits, int base, std::size_t begin) const {
    std::int64_t i = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), i, base);
    if (error == std::errc::result_out_of_range) fail("an integer of more than 64 bits", begin);
    if (error != std::errc{}) fail("a malformed number", begin);
    token.value = Value(i);
  }
  static double real(const std::string& digits) {
    double x = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
    return error == std::errc::result_out_of_range ? beyond_range(digits) : x;
  }

  void string(Token& token) {
    token.kind = Token::Kind::string;
    const char quote = text_[at_++];
    for (;; ++at_) {
      if (at_ >= text_.size()) fail("a string is not closed, which begins", token.at);
      char c = text_[at_];
      if (c == quote) break;
      if (c == '\\' && at_ + 1 < text_.size()) {
        c = text_[++at_];
        constexpr std::string_view marks = "ntr\\'\"", meant = "\n\t\r\\'\"";
        if (const std::size_t k = marks.find(c); k != marks.npos)
          c = meant[k];
        else
          token.text += '\\';  // an unknown escape is unchanged
      }
      token.text += c;
    }
    ++at_;
  }

  void mark(Token& token) {
    constexpr std::string_view marks[] = {"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-",
                                          "*",  "/",  "%",  "<",  ">",  "(",  ")",  "[",  "]", "{",
                                          "}",  ",",  ":",  ".",  "~",  "&",  "|",  "^",  "="};
    for (const std::string_view m : marks) {
      if (text_.substr(at_, m.size()) != m) continue;
      token.kind = Token::Kind::mark;
      token.text = m;
      at_ += m.size();
      return;
    }
    fail(fmt::format("unexpected '{}'", peek()), at_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <class... Parts>
Tree tree(Kind kind, std::string word, Parts... parts) {
  auto e = std::make_unique<Expression>();
  e->kind = kind;
  e->word = std::move(word);
  (e->parts.push_back(std::move(parts)), ...);
  return e;
}
Tree constant(Value value) {
  auto e = std::make_unique<Expression>();
  e->value = std::move(value);
  return e;
}

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Tree whole() {
    Tree e = expression();
    if (is(",")) {  // a, b
      Tree list = tree(Kind::list, "");
      list->parts.push_back(std::move(e));
      while (take(",") && now().kind != Token::Kind::end) list->parts.push_back(expression());
      e = std::move(list);
    }
    if (now().kind != Token::Kind::end) unexpected();
    return e;
  }

 private:
  struct Deeper {  // one level of recursion
    explicit Deeper(Parser& p) : depth(p.depth_) {
      if (++depth > deepest)
        throw std::invalid_argument(fmt::format("it is nested more than {} deep", deepest));
    }
    ~Deeper() { --depth; }
    int& depth;
  };

  const Token& now() const { return tokens_[at_]; }
  bool is(std::string_view text) const {
    return (now().kind == Token::Kind::mark || now().kind == Token::Kind::name) &&
           now().text == text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void require(std::string_view text) {
    if (!take(text))
      throw std::invalid_argument(
          fmt::format("'{}' is missing at character {}", text, now().at + 1));
  }
  [[noreturn]] void unexpected() const {
    if (now().kind == Token::Kind::end) throw std::invalid_argument("it ends too early");
    throw std::invalid_argument(fmt::format(
        "unexpected '{}' at character {}",
        now().kind == Token::Kind::number ? now().value.text() : now().text, now().at + 1));
  }

  Tree expression() {
    const Deeper deeper(*this);
    Tree then = either();
    if (!take("if")) return then;
    Tree condition = either();
    require("else");
    return tree(Kind::conditional, "", std::move(condition), std::move(then), expression());
  }
  Tree either() {
    Tree e = both();
    if (!is("or")) return e;
    Tree all = tree(Kind::either, "", std::move(e));
    while (take("or")) all->parts.push_back(both());
    return all;
  }
  Tree both() {
    Tree e = negation();
    if (!is("and")) return e;
    Tree all = tree(Kind::both, "", std::move(e));
    while (take("and")) all->parts.push_back(negation());
    return all;
  }
  Tree negation() {
    const Deeper deeper(*this);
    if (take("not")) return tree(Kind::unary, "not", negation());
    return comparison();
  }
  Tree comparison() {
    Tree e = bits(0);
    Tree all;
    for (;;) {
      std::string word;
      for (const char* sign : {"<=", ">=", "==", "!=", "<", ">", "in", "is"})
        if (word.empty() && take(sign)) word = sign;
      if (word == "is" && take("not")) word = "is not";
      if (word.empty() && is("not") && tokens_[at_ + 1].text == "in") {
        at_ += 2;
        word = "not in";
      }
      if (word.empty()) return all ? std::move(all) : std::move(e);
      if (!all) all = tree(Kind::comparison, "", std::move(e));
      all->words.push_back(word);
      all->parts.push_back(bits(0));
    }
  }
  // | ^ & << >> + - * / // %, from the loosest.
  Tree bits(std::size_t level) {
    static const std::vector<std::vector<std::string>> levels = {
        {"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%"}};
    if (level == levels.size()) return unary();
    Tree e = bits(level + 1);
    for (;;) {
      const auto sign = std::find_if(levels[level].begin(), levels[level].end(),
                                     [&](const std::string& s) { return is(s); });
      if (sign == levels[level].end()) return e;
      ++at_;
      e = tree(Kind::binary, *sign, std::move(e), bits(level + 1));
      if (++run_ > 500) throw std::invalid_argument("it has more than 500 operators");
    }
  }
  Tree unary() {
    const Deeper deeper(*this);
    for (const char* sign : {"-", "+", "~"})
      if (take(sign)) return tree(Kind::unary, sign, unary());
    Tree base = postfix();
    if (take("**")) return tree(Kind::binary, "**", std::move(base), unary());
    return base;
  }
  Tree postfix() {
    Tree e = atom();
    for (;;) {
      if (++run_ > 500) throw std::invalid_argument("it has more than 500 operators");
      if (take("(")) {
        e = call(std::move(e));
      } else if (take("[")) {
        e = index(std::move(e));
      } else if (take(".")) {
        if (now().kind != Token::Kind::name) unexpected();
        e = tree(Kind::attribute, tokens_[at_++].text, std::move(e));
      } else {
        return e;
      }
    }
  }
  Tree call(Tree function) {
    Tree e = tree(Kind::call, "", std::move(function));
    while (!take(")")) {
      if (now().kind == Token::Kind::name && tokens_[at_ + 1].text == "=" &&
          tokens_[at_ + 1].kind == Token::Kind::mark) {
        e->words.push_back(now().text);
        at_ += 2;
      } else if (!e->words.empty()) {
        throw std::invalid_argument("a positional argument follows a keyword argument");
      }
      e->parts.push_back(expression());
      if (e->words.empty() && e->parts.size() == 2 && is("for"))
        e->parts[1] = comprehension(std::move(e->parts[1]));
      if (!is(")")) require(",");
    }
    return e;
  }
  Tree index(Tree object) {
    const auto bound = [&]() -> Tree {
      return is(":") || is("]") ? constant(Value()) : expression();
    };
    Tree first = is(":") ? constant(Value()) : expression();
    if (take("]")) return tree(Kind::index, "", std::move(object), std::move(first));
    require(":");
    Tree last = bound(), step = take(":") ? bound() : constant(Value());
    require("]");
    return tree(Kind::slice, "", std::move(object), std::move(first), std::move(last),
                std::move(step));
  }
  // After its item: for x in xs if c.
  Tree comprehension(Tree item) {
    require("for");
    Tree e = tree(Kind::comprehension, "", std::move(item));
    const bool bracket = take("(");
    do {
      if (now().kind != Token::Kind::name || is_keyword(now().text)) unexpected();
      e->words.push_back(tokens_[at_++].text);
    } while (take(","));
    if (bracket) require(")");
    require("in");
    e->parts.push_back(either());
    while (take("if")) e->parts.push_back(either());
    if (is("for")) throw std::invalid_argument("a comprehension has more than one 'for'");
    return e;
  }
  Tree list(std::string_view close) {
    Tree e = tree(Kind::list, "");
    while (!take(close)) {
      e->parts.push_back(expression());
      if (e->parts.size() == 1 && is("for")) {
        e = comprehension(std::move(e->parts[0]));
        require(close);
        return e;
      }
      if (!is(close)) require(",");
    }
    return e;
  }
  Tree dict() {
    Tree e = tree(Kind::dict, "");
    while (!take("}")) {
      e->parts.push_back(expression());
      require(":");
      e->parts.push_back(expression());
      if (!is("}")) require(",");
    }
    return e;
  }
  Tree atom() {
    const Token token = now();
    if (token.kind == Token::Kind::number) return ++at_, constant(token.value);
    if (token.kind == Token::Kind::string) {
      std::string text;
      while (now().kind == Token::Kind::string) text += tokens_[at_++].text;
      return constant(Value(text));
    }
    if (take("(")) {
      if (take(")")) return tree(Kind::list, "");
      Tree e = expression();
      if (is("for")) {
        e = comprehension(std::move(e));
      } else if (is(",")) {
        Tree all = tree(Kind::list, "");
        all->parts.push_back(std::move(e));
        while (take(",") && !is(")")) all->parts.push_back(expression());
        e = std::move(all);
      }
      require(")");
      return e;
    }
    if (take("[")) return list("]");
    if (take("{")) return dict();
    if (take("True")) return constant(Value(true));
    if (take("False")) return constant(Value(false));
    if (take("None")) return constant(Value());
    if (token.kind != Token::Kind::name || is_keyword(token.text)) unexpected();
    ++at_;
    return tree(Kind::name, token.text);
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0, run_ = 0;
};

}  // namespace

Tree parse_expression(std::string_view text) {
  if (text.size() > longest_expression)
    throw std::invalid_argument(fmt::format("it has more than {} characters", longest_expression));
  return Parser(Lexer(text).tokens()).whole();
}

bool is_identifier(std::string_view word) {
  if (word.empty() || is_digit(word[0]) || is_keyword(word)) return false;
  return std::all_of(word.begin(), word.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace parid::model::xacro
