#include "computed_torque_controller.hpp"

#include <pluginlib/class_list_macros.hpp>

namespace parid_example {

using controller_interface::interface_configuration_type;
using controller_interface::InterfaceConfiguration;
using CallbackReturn = controller_interface::CallbackReturn;

InterfaceConfiguration ComputedTorqueController::command_interface_configuration() const {
  InterfaceConfiguration wanted{interface_configuration_type::INDIVIDUAL, {}};
  for (const std::string& joint : joints_) wanted.names.push_back(joint + "/effort");
  return wanted;
}

// Positions first, then velocities.
InterfaceConfiguration ComputedTorqueController::state_interface_configuration() const {
  InterfaceConfiguration wanted{interface_configuration_type::INDIVIDUAL, {}};
  for (const char* kind : {"/position", "/velocity"})
    for (const std::string& joint : joints_) wanted.names.push_back(joint + kind);
  return wanted;
}

CallbackReturn ComputedTorqueController::on_init() {
  joints_ = auto_declare<std::vector<std::string>>("joints", {});
  kp_ = auto_declare<double>("kp", 100.0);
  kd_ = auto_declare<double>("kd", 20.0);
  return CallbackReturn::SUCCESS;
}

// Everything that allocates is here: parse the robot, prepare its memory, find the joints.
CallbackReturn ComputedTorqueController::on_configure(const rclcpp_lifecycle::State&) {
  if (parid_abi_version() != PARID_ABI_VERSION) {
    RCLCPP_ERROR(get_node()->get_logger(), "libparid has ABI version %d; this plugin needs %d",
                 parid_abi_version(), PARID_ABI_VERSION);
    return CallbackReturn::ERROR;
  }
  robot_.reset(parid_from_text(get_robot_description().c_str(), "urdf", 0, 0));
  if (!robot_ || parid_prepare(robot_.get()) != PARID_OK) {
    RCLCPP_ERROR(get_node()->get_logger(), "robot_description: %s", parid_last_error());
    return CallbackReturn::ERROR;
  }
  const int count = parid_nv(robot_.get());
  if (parid_nq(robot_.get()) != count || joints_.size() != static_cast<std::size_t>(count)) {
    RCLCPP_ERROR(get_node()->get_logger(),
                 "parameter joints has %zu names; the robot has %d degrees of freedom",
                 joints_.size(), count);
    return CallbackReturn::ERROR;
  }
  index_.clear();
  for (const std::string& joint : joints_) {
    int k = 0;
    while (k < count && joint != parid_velocity_name(robot_.get(), k)) ++k;
    if (k == count) {
      RCLCPP_ERROR(get_node()->get_logger(), "robot_description has no moving joint '%s'",
                   joint.c_str());
      return CallbackReturn::ERROR;
    }
    index_.push_back(k);
  }
  for (std::vector<double>* x : {&goal_, &q_, &v_, &a_, &tau_}) x->assign(joints_.size(), 0.0);
  return CallbackReturn::SUCCESS;
}

// Hold the present pose until set_goal().
CallbackReturn ComputedTorqueController::on_activate(const rclcpp_lifecycle::State&) {
  for (std::size_t j = 0; j < joints_.size(); ++j) goal_[j] = state_interfaces_[j].get_value();
  return CallbackReturn::SUCCESS;
}

CallbackReturn ComputedTorqueController::on_deactivate(const rclcpp_lifecycle::State&) {
  for (auto& effort : command_interfaces_) effort.set_value(0.0);
  return CallbackReturn::SUCCESS;
}

// No allocation, lock or system call.
controller_interface::return_type ComputedTorqueController::update(const rclcpp::Time&,
                                                                   const rclcpp::Duration&) {
  const std::size_t count = joints_.size();
  for (std::size_t j = 0; j < count; ++j) {
    const auto k = static_cast<std::size_t>(index_[j]);
    q_[k] = state_interfaces_[j].get_value();
    v_[k] = state_interfaces_[count + j].get_value();
    a_[k] = kp_ * (goal_[j] - q_[k]) - kd_ * v_[k];
  }
  if (parid_inverse_dynamics(robot_.get(), q_.data(), v_.data(), a_.data(), tau_.data()) !=
      PARID_OK)
    return controller_interface::return_type::ERROR;
  for (std::size_t j = 0; j < count; ++j)
    command_interfaces_[j].set_value(tau_[static_cast<std::size_t>(index_[j])]);
  return controller_interface::return_type::OK;
}

}  // namespace parid_example

PLUGINLIB_EXPORT_CLASS(parid_example::ComputedTorqueController,
                       controller_interface::ControllerInterface)
