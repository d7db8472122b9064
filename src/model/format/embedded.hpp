// The texts of robots/*.toml, embedded in the library at build time (cmake/embed_texts.cmake).

#pragma once

#include <span>

#include "model/layer.hpp"

namespace parid::model {

struct EmbeddedRobot {
  const char* name;  // "puma560", of robots/puma560.toml
  const char* text;
};

std::span<const EmbeddedRobot> embedded_robots();  // by name

}  // namespace parid::model
