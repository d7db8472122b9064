#include "dynamics/row_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dynamics/link_parameters.hpp"
#include "parid/error.hpp"

namespace parid::dynamics {
namespace {

void refuse_twice(const char* argument, const std::vector<std::string>& links) {
  for (std::size_t k = 0; k < links.size(); ++k)
    if (std::find(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(k), links[k]) !=
        links.begin() + static_cast<std::ptrdiff_t>(k))
      throw Error(
          fmt::format("`{}`: link '{}' is given twice; give each link once", argument, links[k]));
}

}  // namespace

std::vector<RowLayout::Array> RowLayout::arrays() const {
  std::vector<Array> all;
  if (!parameters.empty()) all.push_back({"parameters", 10 * parameters.size()});
  if (gravity) all.push_back({"gravity", 3});
  if (base_motion) all.push_back({"base_motion", 9});
  if (!wrenches.empty()) all.push_back({"wrenches", 6 * wrenches.size()});
  return all;
}

RowLayout RowLayout::used_by(Quantity which) const {
  const RowArgumentUse& use = info(which).row_arguments;
  RowLayout some = *this;
  if (!use.parameters) some.parameters.clear();
  if (!use.wrenches) some.wrenches.clear();
  some.gravity = gravity && use.gravity;
  some.base_motion = base_motion && use.base_motion;
  return some;
}

RowLayout row_layout(const Robot& robot, const RowArguments& which) {
  const CanonicalModel& c = robot.canonical();
  RowLayout layout;
  layout.gravity = which.gravity;
  layout.base_motion = which.base_motion;
  layout.root = c.link[c.root].pose;
  refuse_twice("parameters", which.parameters);
  refuse_twice("wrenches", which.wrenches);
  for (const std::string& name : which.parameters) {
    const int link = robot.find_link(name);
    const std::vector<int> moved = links_with_parameters(robot);
    const auto i = std::find_if(moved.begin(), moved.end(),
                                [&](int k) { return moved_link(robot, k) == link; });
    if (i == moved.end())
      throw Error(fmt::format("`parameters`: no joint moves link '{}'; choose from {}", name,
                              fmt::join(parameter_links(robot), ", ")));
    layout.parameters.push_back({*i, c.link[link].pose});
  }
  for (const std::string& name : which.wrenches) {
    const LinkPlace& at = c.link[robot.find_link(name)];
    layout.wrenches.push_back({at.link, at.pose});
  }
  return layout;
}

}  // namespace parid::dynamics

namespace parid {

std::vector<std::string> parameter_links(const Robot& robot) {
  std::vector<std::string> names;
  for (const int i : dynamics::links_with_parameters(robot))
    names.push_back(robot.link_names()[dynamics::moved_link(robot, i)]);
  return names;
}

}  // namespace parid
