// A bar on the terminal for work that takes longer than a second; nothing in a pipe.

#pragma once

#include <chrono>
#include <string>

#include "cli/layer.hpp"

namespace parid::cli {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();                                            // wipes the bar
  void at(double share, const std::string& beside = "");  // of the work, 0 to 1; how it goes

 private:
  std::string what_;
  std::chrono::steady_clock::time_point start_, drawn_;
  bool on_terminal_, visible_ = false;
};

}  // namespace parid::cli
