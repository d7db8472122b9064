// The part of ROS 2's controller_interface, rclcpp and hardware_interface that the example
// controller uses, with the names and signatures of ROS 2 Jazzy. For a test without ROS.

#pragma once

#include <any>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rclcpp {

class Time {};
class Duration {};

struct Logger {
  std::string* last;
};

}  // namespace rclcpp

namespace rclcpp_lifecycle {

class State {};

class LifecycleNode {
 public:
  rclcpp::Logger get_logger() { return {&last_error}; }
  std::map<std::string, std::any> parameters;
  std::string last_error;
};

}  // namespace rclcpp_lifecycle

template <class... Values>
void rclcpp_stub_error(const rclcpp::Logger& logger, const char* format, Values... values) {
  char text[500];
  std::snprintf(text, sizeof text, format, values...);
  *logger.last = text;
}
#define RCLCPP_ERROR(logger, ...) rclcpp_stub_error(logger, __VA_ARGS__)

namespace hardware_interface {

class LoanedStateInterface {
 public:
  explicit LoanedStateInterface(const double* value) : value_(value) {}
  double get_value() const { return *value_; }

 private:
  const double* value_;
};

class LoanedCommandInterface {
 public:
  explicit LoanedCommandInterface(double* value) : value_(value) {}
  void set_value(double x) { *value_ = x; }

 private:
  double* value_;
};

}  // namespace hardware_interface

namespace controller_interface {

enum class return_type { OK, ERROR };
enum class CallbackReturn { SUCCESS, FAILURE, ERROR };
enum class interface_configuration_type { ALL, INDIVIDUAL, NONE };
struct InterfaceConfiguration {
  interface_configuration_type type;
  std::vector<std::string> names;
};

class ControllerInterface {
 public:
  virtual ~ControllerInterface() = default;
  virtual InterfaceConfiguration command_interface_configuration() const = 0;
  virtual InterfaceConfiguration state_interface_configuration() const = 0;
  virtual CallbackReturn on_init() = 0;
  virtual CallbackReturn on_configure(const rclcpp_lifecycle::State&) = 0;
  virtual CallbackReturn on_activate(const rclcpp_lifecycle::State&) = 0;
  virtual CallbackReturn on_deactivate(const rclcpp_lifecycle::State&) = 0;
  virtual return_type update(const rclcpp::Time&, const rclcpp::Duration&) = 0;

  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() { return node; }
  const std::string& get_robot_description() const { return robot_description; }
  template <class Parameter>
  Parameter auto_declare(const std::string& name, const Parameter& usual) {
    const auto found = node->parameters.find(name);
    return found == node->parameters.end() ? usual : std::any_cast<Parameter>(found->second);
  }

  // The controller manager sets these.
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node =
      std::make_shared<rclcpp_lifecycle::LifecycleNode>();
  std::string robot_description;
  std::vector<hardware_interface::LoanedStateInterface> state_interfaces_;
  std::vector<hardware_interface::LoanedCommandInterface> command_interfaces_;
};

}  // namespace controller_interface
