// Expressions in Python's syntax, as a tree: the contents of ${…}.
//
// Supported are literals, names, arithmetic, comparisons (chained too), and/or/not, in, is, a if c
// else b, lists, tuples (as lists), dicts, indices, slices, attributes, calls with keywords, and [f
// for x in xs if c]. Statements, lambda, assignment and the like do not parse.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/format/xacro/value.hpp"
#include "model/layer.hpp"

namespace parid::model::xacro {

struct Expression {
  enum class Kind {
    constant,       // value
    name,           // word
    unary,          // word: + - ~ not
    binary,         // word: + - * / // % ** << >> & | ^
    comparison,     // words between parts: parts[0] words[0] parts[1] …
    both,           // and
    either,         // or
    conditional,    // parts: condition, then, else
    list,           // parts
    dict,           // parts: key, value, key, value, …
    index,          // parts: object, key
    slice,          // parts: object, begin, end, step; none if omitted
    attribute,      // parts: object; word
    call,           // parts: function, arguments…, keyword arguments…; words: the keywords
    comprehension,  // parts: item, source, conditions…; words: the variables
  };
  Kind kind = Kind::constant;
  Value value;
  std::string word;
  std::vector<std::string> words;
  std::vector<std::unique_ptr<Expression>> parts;
};

// Throws std::invalid_argument with the error and its character position.
std::unique_ptr<Expression> parse_expression(std::string_view text);

bool is_identifier(std::string_view);  // and no keyword of Python

}  // namespace parid::model::xacro
