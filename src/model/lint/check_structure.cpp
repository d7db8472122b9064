// Checks names, and that the joints connect the links into one tree.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/text/spelling.hpp"
#include "model/lint/check_parts.hpp"

namespace parid::model::lint {

namespace {

using Index = std::unordered_map<std::string, int>;

// Another line that a message at `at` mentions: "line 7", or "part.xacro:7" if it is in another
// file.
std::string line_text(const Description& d, int line, const Place& at) {
  const Place other = d.at(line);
  return other.file == at.file ? fmt::format("line {}", other.line) : other.text();
}

template <class Named>
Index index_of(const Description& d, const std::vector<Named>& things, const std::string& kind,
               Findings& out) {
  Index index;
  for (int i = 0; i < static_cast<int>(things.size()); ++i) {
    const auto [first, is_new] = index.emplace(things[i].name, i);
    if (!is_new)
      out.push_back(
          finding("duplicate-" + kind, d.at(things[i].line),
                  fmt::format("{} '{}' is already defined on {}", kind, things[i].name,
                              line_text(d, things[first->second].line, d.at(things[i].line))),
                  "give each " + kind + " a unique name"));
  }
  return index;
}

template <class Named>
std::string did_you_mean(const std::string& name, const std::vector<Named>& things,
                         const std::string& otherwise) {
  std::vector<std::string> names;
  // otherwise every error would be compared with every name
  if (things.size() > 1000) return otherwise;
  for (const Named& t : things)
    if (t.name != name) names.push_back(t.name);
  const std::string meant = nearest(name, names);
  return meant.empty() ? otherwise : fmt::format("did you mean '{}'?", meant);
}

int find_link(const Description& d, const Index& links, const JointDescription& joint,
              const std::string& role, const std::string& name, Findings& out) {
  if (const auto found = links.find(name); found != links.end()) return found->second;
  out.push_back(
      finding("unknown-link", d.at(joint.line),
              fmt::format("{1} link '{2}' of joint '{0}' does not exist", joint.name, role, name),
              did_you_mean(name, d.links,
                           fmt::format("add <link name=\"{}\">, or correct the name", name))));
  return -1;
}

// The first names, how many are omitted, and the last.
std::vector<std::string> first_and_last(const std::vector<std::string>& names, std::size_t count) {
  std::vector<std::string> some(names.begin(), names.begin() + static_cast<long>(count) - 2);
  some.push_back(fmt::format("({} more)", names.size() - count + 1));
  some.push_back(names.back());
  return some;
}

// Every link is followed up to the root once; a path that meets itself is a cycle.
bool report_cycles(const Description& d, const Tree& tree, Findings& out) {
  const int n = static_cast<int>(d.links.size());
  std::vector<int> walk(n, -1);  // the path in which a link was first met
  bool any = false;
  for (int start = 0; start < n; ++start) {
    int link = start;
    while (link >= 0 && walk[link] < 0) {
      walk[link] = start;
      const int joint = tree.joint_above[link];
      link = joint < 0 ? -1 : tree.parent[joint];
    }
    if (link < 0 || walk[link] != start) continue;
    any = true;
    const int closing = tree.joint_above[link];
    std::vector<std::string> names{fmt::format("'{}'", d.links[link].name)};
    for (int l = tree.parent[closing]; l != link; l = tree.parent[tree.joint_above[l]])
      names.push_back(fmt::format("'{}'", d.links[l].name));
    names.push_back(names.front());
    std::reverse(names.begin(), names.end());
    if (constexpr std::size_t shown = 12; names.size() > shown)  // messages are one line
      names = first_and_last(names, shown);
    out.push_back(finding("cycle", d.at(d.joints[closing].line),
                          fmt::format("joint '{}' closes a cycle of links: {}",
                                      d.joints[closing].name, fmt::join(names, " to ")),
                          "a robot must be a tree; remove one joint of the cycle"));
  }
  return any;
}

bool report_roots(const Description& d, const Tree& tree, Findings& out) {
  std::vector<int> roots;
  for (int l = 0; l < static_cast<int>(d.links.size()); ++l)
    if (tree.joint_above[l] < 0) roots.push_back(l);
  for (std::size_t i = 1; i < roots.size(); ++i) {
    const LinkDescription &first = d.links[roots[0]], &other = d.links[roots[i]];
    out.push_back(
        finding("several-roots", d.at(other.line),
                fmt::format("link '{}' is not the child of any joint, and neither is "
                            "link '{}' ({}): a robot has one root",
                            other.name, first.name, line_text(d, first.line, d.at(other.line))),
                "connect them, for example with a fixed joint"));
  }
  return roots.size() > 1;
}

void order_from_root(const Description& d, Tree& tree) {
  const int n = static_cast<int>(tree.joint_above.size());
  std::vector<std::vector<int>> below(n);
  for (int l = 0; l < n; ++l) {
    if (tree.joint_above[l] < 0)
      tree.from_root.push_back(l);
    else
      below[tree.parent[tree.joint_above[l]]].push_back(l);
  }
  for (std::size_t i = 0; i < tree.from_root.size(); ++i) {  // grows as it is read
    const std::vector<int>& children = below[tree.from_root[i]];
    tree.from_root.insert(tree.from_root.end(), children.begin(), children.end());
  }
  tree.moves.assign(n, false);
  for (const int l : tree.from_root)
    if (const int j = tree.joint_above[l]; j >= 0)
      tree.moves[l] = d.joints[j].type != JointType::fixed || tree.moves[tree.parent[j]];
}

}  // namespace

Tree check_structure(const Description& d, Findings& out) {
  Tree tree;
  const std::size_t before = out.size();
  if (d.links.empty())
    out.push_back(finding("empty-robot", d.at(0), fmt::format("robot '{}' has no links", d.name),
                          "add at least one link"));
  const Index links = index_of(d, d.links, "link", out);
  index_of(d, d.joints, "joint", out);
  tree.joint_above.assign(d.links.size(), -1);
  for (int j = 0; j < static_cast<int>(d.joints.size()); ++j) {
    const JointDescription& joint = d.joints[j];
    tree.parent.push_back(find_link(d, links, joint, "parent", joint.parent, out));
    tree.child.push_back(find_link(d, links, joint, "child", joint.child, out));
    if (tree.parent[j] < 0 || tree.child[j] < 0) continue;
    int& above = tree.joint_above[tree.child[j]];
    if (above < 0) {
      above = j;
    } else {
      out.push_back(
          finding("two-parents", d.at(joint.line),
                  fmt::format("link '{}' is the child of joint '{}' and of joint '{}' ({})",
                              joint.child, joint.name, d.joints[above].name,
                              line_text(d, d.joints[above].line, d.at(joint.line))),
                  "a robot must be a tree without closed loops; remove one of the joints"));
    }
  }
  tree.sound = out.size() == before;
  // If a joint has no child link, the link looks like a root; that is reported already.
  const bool cycles = report_cycles(d, tree, out);
  if (tree.sound && report_roots(d, tree, out)) tree.sound = false;
  if (cycles) tree.sound = false;
  if (tree.sound) order_from_root(d, tree);
  return tree;
}

// The limits of a linkage's input joint, where it has some, against the range in which it closes.
void check_closure(const Description& d, const JointDescription& joint,
                   const JointDescription& leader, Findings& out) {
  const Limits& l = leader.limits;
  if (!joint.mimic->four_bar || !(l.lower < l.upper)) return;
  const ClosureRange r = closure_range(*joint.mimic->four_bar);
  if (!(std::isfinite(l.lower) && l.lower < r.lower) &&
      !(std::isfinite(l.upper) && l.upper > r.upper))
    return;
  out.push_back(finding(
      "four-bar-range", d.at(joint.mimic_line ? joint.mimic_line : joint.line),
      fmt::format("the four-bar linkage of joint '{}' closes for positions of joint '{}' within "
                  "{:.6g} … {:.6g} rad, and the limits of that joint are {:.6g} … {:.6g}",
                  joint.name, leader.name, r.lower, r.upper, l.lower, l.upper),
      "narrow the limits; beyond that range positions and torques are not numbers"));
}

// Polynomials and linkages after another are evaluated one by one.
void check_chain_lengths(const Description& d, const Tree& tree, Findings& out) {
  constexpr int most = 16;
  const int n = static_cast<int>(d.joints.size());
  std::vector<int> length(n, -1), path;
  for (int start = 0; start < n; ++start) {
    path.clear();
    for (int j = start; j >= 0 && length[j] < 0; j = tree.leader[j]) {
      length[j] = 0;  // also ends a cycle, which is reported already
      path.push_back(j);
    }
    for (auto j = path.rbegin(); j != path.rend(); ++j) {
      if (tree.leader[*j] < 0) continue;
      length[*j] = length[tree.leader[*j]] + (d.joints[*j].mimic->linear() ? 0 : 1);
      if (length[*j] != most + 1) continue;
      const JointDescription& joint = d.joints[*j];
      out.push_back(finding("mimic-chain", d.at(joint.mimic_line ? joint.mimic_line : joint.line),
                            fmt::format("joint '{}' ends a chain of more than {} mimics by "
                                        "polynomials or linkages",
                                        joint.name, most),
                            "let it mimic an earlier joint of the chain"));
    }
  }
}

void check_mimics(const Description& d, Tree& tree, Findings& out) {
  const int n = static_cast<int>(d.joints.size());
  Index joints;
  for (int j = 0; j < n; ++j) joints.emplace(d.joints[j].name, j);
  tree.leader.assign(n, -1);
  const auto report = [&](const JointDescription& joint, const char* code, std::string what,
                          std::string remedy) {
    out.push_back(finding(code, d.at(joint.mimic_line ? joint.mimic_line : joint.line),
                          fmt::format("joint '{}' {}", joint.name, what), std::move(remedy)));
  };
  constexpr auto one_coordinate =
      "<mimic> is supported on revolute, continuous and prismatic joints";
  for (int j = 0; j < n; ++j) {
    const JointDescription& joint = d.joints[j];
    if (!joint.mimic) continue;
    const std::string& name = joint.mimic->joint;
    const auto found = joints.find(name);
    if (found == joints.end()) {
      report(joint, "unknown-mimic", fmt::format("mimics joint '{}', which does not exist", name),
             did_you_mean(name, d.joints, "correct the joint's name"));
    } else if (found->second == j || name == joint.name) {
      report(joint, "mimic-self", "mimics itself", "name another joint, or remove the <mimic>");
    } else if (!turns_or_slides(joint.type)) {
      report(joint, "mimic-type",
             "has a <mimic>, but its type does not have exactly one coordinate", one_coordinate);
    } else if (!turns_or_slides(d.joints[found->second].type)) {
      report(
          joint, "mimic-type",
          fmt::format("mimics joint '{}', whose type does not have exactly one coordinate", name),
          one_coordinate);
    } else if (const std::optional<FourBar>& linkage = joint.mimic->four_bar;
               linkage && !problem_of(*linkage).wrong.empty()) {
      const LinkageProblem p = problem_of(*linkage);
      report(joint, "four-bar", "mimics another, but " + p.wrong, p.remedy);
    } else {
      tree.leader[j] = found->second;
      check_closure(d, joint, d.joints[found->second], out);
    }
  }
  std::vector<int> walk(n, -1);
  for (int start = 0; start < n; ++start) {
    int j = start;
    while (j >= 0 && walk[j] < 0) {
      walk[j] = start;
      j = tree.leader[j];
    }
    if (j >= 0 && walk[j] == start)
      report(d.joints[j], "mimic-cycle",
             fmt::format("mimics '{}', and the chain of <mimic> leads back to it",
                         d.joints[j].mimic->joint),
             "remove one <mimic> of the cycle");
  }
  check_chain_lengths(d, tree, out);
}

}  // namespace parid::model::lint
