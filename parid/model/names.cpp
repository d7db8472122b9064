#include "parid/model/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parid {

void require_printable_names(const Description& d) {
  auto require = [&](const std::string& name, const char* whose, int line) {
    const auto bad = std::find_if(name.begin(), name.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && c != '\t') || byte == 0x7f;
    });
    if (bad != name.end())
      throw Error(d.at(line),
                  fmt::format("the name of {} has a control character, 0x{:02x}, at its place {}",
                              whose, static_cast<unsigned char>(*bad), bad - name.begin() + 1),
                  "give it a name of letters and digits");
  };
  require(d.name, "the robot", 0);
  for (const LinkDescription& l : d.links) require(l.name, "a link", l.line);
  for (const JointDescription& j : d.joints) require(j.name, "a joint", j.line);
}

}  // namespace parid
