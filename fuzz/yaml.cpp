// YAML files that a xacro file loads.

#include "model/format/xacro/yaml.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

namespace parid::fuzz {
namespace {

// Only counts steps.
class Steps : public model::xacro::Host {
 public:
  model::xacro::Value load_yaml(const std::string&) override { return {}; }
  std::string absolute_name(const std::string& name) override { return name; }
  std::string argument(const std::string&) override { return ""; }
  void warn(const std::string&) override {}
  void spend(std::size_t n) override {
    if ((steps_ += n) > 100'000) throw Error("too many steps");
  }

 private:
  std::size_t steps_ = 0;
};

}  // namespace
}  // namespace parid::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  try {
    fuzz::Steps host;
    (void)model::xacro::parse_yaml(fuzz::text_of(data, size), "fuzz.yaml", host).text();
  } catch (const Error&) {
  }
  return 0;
}
