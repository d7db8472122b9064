// Lines of several files as the one number per element that a Description has
// (Description::included).

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/format/xml/node.hpp"
#include "model/layer.hpp"

namespace parid::model::xml {

class Places {
 public:
  // The first is the robot file itself. Each file must be added before its lines are used.
  void add_file(const std::string& file);

  int line(const Node& node) const { return line(node.at()); }
  int line(const Place& at) const;

  std::vector<std::string> included() const;  // all but the first, for Description::included

 private:
  std::vector<std::string> files_;
  std::map<std::string, int> by_name_;
};

}  // namespace parid::model::xml
