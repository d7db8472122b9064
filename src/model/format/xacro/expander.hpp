// Expands xacro in this process: macros, properties, conditions, includes and expressions become
// plain XML.
//
// Files are not trusted. Expressions can use only the functions of functions.cpp; includes and YAML
// files must be in the file's own folder or in packages; environment variables are read only if the
// caller lists them; depth, size and the number of steps are limited.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/format/package_path.hpp"
#include "model/format/xml/node.hpp"
#include "model/format/xml/places.hpp"
#include "model/layer.hpp"

namespace parid::model::xacro {

struct Limits {
  std::size_t steps = 3'000'000;  // operations, and 16 bytes of text each; about a second
  std::size_t nodes = 2'000'000;  // elements of the result
  int calls = 150;                // nesting of macros and includes
  int elements = 400;             // nesting of elements, over all files
  int lazy = 100;                 // nesting of properties that read one another
};

struct Options {
  std::map<std::string, std::string> arguments;  // $(arg NAME)
  std::map<std::string, std::string> packages;   // $(find NAME)
  std::set<std::string> environment;             // variables that $(env NAME) may read
  Limits limits;
};

struct Call {
  std::string what;  // "macro 'leg' called"
  Place at;
  int above = -1;  // the call in which it stands
};
// "macro 'leg' called at a.xacro:12, file 'a.xacro' included at b.xacro:3"; "" if there is none.
std::string call_chain(const std::vector<Call>&, int innermost);

struct Expansion {
  xml::Node root;
  std::vector<Call> calls;  // by Node::origin
  xml::Places places;       // of all files that were read
  std::vector<Finding> remarks;
};

// Throws Error with file, line and the chain of macro calls.
Expansion expand(const std::string& text, const std::string& file, const Options&);

}  // namespace parid::model::xacro
