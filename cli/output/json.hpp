// JSON on standard output: one object, a key per line, and a line for each row of a table, so that
// people can read it as well.

#pragma once

#include <nlohmann/json.hpp>

#include "cli/layer.hpp"

namespace parid::cli {

using Json = nlohmann::ordered_json;

void print(const Json& object);

}  // namespace parid::cli
