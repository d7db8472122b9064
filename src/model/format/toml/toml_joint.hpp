// Reads one [[joint]] table of a robot file: the joint, and the link that it moves. Private to the
// reader of robot files.

#pragma once

#include "model/format/toml/toml_table.hpp"
#include "model/layer.hpp"

namespace parid::model {

enum class Convention { modified, standard, frames };

std::span<const Field> joint_fields();
std::span<const Field> inertial_fields();  // those that [base_link] has too

std::optional<Convention> convention(const TomlTable& top);  // none if the file does not name one
JointType joint_type(const TomlTable&);
std::optional<Inertia> inertia(const TomlTable&);
void read_frame(const TomlTable&, std::optional<Convention>, JointDescription&);
// Limits and drive, which may also be given for a joint of a URDF file.
void read_drive(const TomlTable&, JointDescription&);
// Bearings and transmission; model/toml_friction.cpp.
void read_friction(const TomlTable&, const std::string& file, const std::string& owner,
                   JointDescription&, std::vector<Finding>& remarks);
// The full rotor model, in place of a reflected inertia. The joint's frame is read already.
void read_rotor(const TomlTable&, const std::string& file, const std::string& owner,
                JointDescription&, std::vector<Finding>& remarks);
std::optional<Mimic> read_mimic(const TomlTable&, const std::string& file, const std::string& owner,
                                bool slides, std::vector<Finding>& remarks);

}  // namespace parid::model
