// A ros2_control controller that moves an arm to a pose with computed torques. It uses the C API:
// the robot comes from the robot_description string, update() is real-time safe, and no exception
// crosses the boundary.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "controller_interface/controller_interface.hpp"
#include "parid/parid.h"

namespace parid_example {

class ComputedTorqueController : public controller_interface::ControllerInterface {
 public:
  using CallbackReturn = controller_interface::CallbackReturn;

  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;

  CallbackReturn on_init() override;
  CallbackReturn on_configure(const rclcpp_lifecycle::State&) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State&) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State&) override;
  controller_interface::return_type update(const rclcpp::Time&, const rclcpp::Duration&) override;

  // The pose to hold, in the order of the parameter `joints`; called outside of update().
  void set_goal(const std::vector<double>& goal) { goal_ = goal; }

 private:
  struct Free {
    void operator()(parid_robot* robot) const { parid_free(robot); }
  };
  // Belongs to the thread of the controller manager. Another thread needs parid_clone().
  std::unique_ptr<parid_robot, Free> robot_;
  std::vector<std::string> joints_;
  std::vector<int> index_;  // of each joint among the robot's coordinates
  std::vector<double> goal_, q_, v_, a_, tau_;
  double kp_ = 0, kd_ = 0;
};

}  // namespace parid_example
