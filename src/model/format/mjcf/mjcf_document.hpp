// An MJCF file as a tree of elements, with every <include> replaced by the contents of its file.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid::model::mjcf {

struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Element> children;
  int line = 0;  // with its file, in the encoding of Description::at()

  const std::string* attribute(std::string_view name) const;  // null: absent
};

struct Document {
  Element root;                       // <mujoco>
  std::string file;                   // the main one
  std::vector<std::string> included;  // in the order in which they were met

  Place at(int line) const;
};

// Throws Error for text that is not MJCF, for a file that is included twice (so no cycle is
// possible), and for includes outside the directory of the main file and the one above it.
Document open_document(const std::string& text, const std::string& file);

// The file of this name, relative to the directory of the main file; empty: there is none. Throws
// Error, at `at`, if it is outside that directory and the one above it. `what`: "the mesh".
std::string file_beside(const std::string& main_file, const std::string& name,
                        const std::string& what, const Place& at);

}  // namespace parid::model::mjcf
