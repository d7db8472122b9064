// What one [[joint]] table of a robot file says: the joint, and the link it moves.
// Private to the reader of robot files.

#pragma once

#include "model/format/toml/toml_table.hpp"
#include "model/layer.hpp"

namespace parid::model {

enum class Convention { modified, standard, frames };

std::span<const Field> joint_fields();
std::span<const Field> inertial_fields();  // those of them that [base_link] has too

std::optional<Convention> convention(const TomlTable& top);  // none: the file does not say
JointType joint_type(const TomlTable&);
std::optional<Inertia> inertia(const TomlTable&);
void read_frame(const TomlTable&, std::optional<Convention>, JointDescription&);
// Limits and drive: what a URDF's joint may be given too.
void read_drive(const TomlTable&, JointDescription&);
// Bearings and transmission; model/toml_friction.cpp.
void read_friction(const TomlTable&, const std::string& file, const std::string& owner,
                   JointDescription&, std::vector<Finding>& remarks);
std::optional<Mimic> read_mimic(const TomlTable&, const std::string& file, const std::string& owner,
                                bool slides, std::vector<Finding>& remarks);

}  // namespace parid::model
