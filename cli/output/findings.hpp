// What check() found, as the command line says it.

#pragma once

#include <string>

#include "cli/layer.hpp"
#include "model/description.hpp"

namespace parid::cli {

// "arm.urdf:41: warning: link 'hand' has mass but no inertia; give it [point-mass]"
std::string text(const Finding&);

inline bool is_error(const Finding& f) { return f.severity == Finding::Severity::error; }

}  // namespace parid::cli
