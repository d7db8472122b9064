#include "model/format/identity_text.hpp"

#include <fmt/format.h>

#include "model/format/toml/toml_writer.hpp"

namespace parid::model {

std::string identity_text(Description d) {
  d.file.clear();
  d.source.clear();
  d.summary.clear();
  std::string text = to_toml(d);
  for (const JointDescription& j : d.joints)
    for (const Pose<double>* x : {&j.origin, &j.tip})
      for (const Vec3<double>& v : {x->R.r0, x->R.r1, x->R.r2, x->p})
        text += fmt::format("{:a} {:a} {:a}\n", v.x, v.y, v.z);
  return text;
}

}  // namespace parid::model
