// One table of a TOML file, with typed reads that report file, line and remedy. Private to the
// readers of TOML files.

#pragma once

#include <stdexcept>

// toml++ 3.3 asserts on some malformed texts ("a = [,"), and with NDEBUG assumes that they
// cannot occur. Its assertions throw here, in every build, and parse_toml reports the
// error.
namespace parid::model {
struct TomlAssertion : std::logic_error {
  using std::logic_error::logic_error;
};
constexpr void toml_assert(bool holds) {
  if (!holds) throw TomlAssertion("toml++");
}
}  // namespace parid::model
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) ::parid::model::toml_assert(static_cast<bool>(expression))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/mat3.hpp"
#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// A key that a table may have. Messages, spelling help and the list of known keys read it.
struct Field {
  const char* key;
  const char* what;     // "a number of kg"
  const char* example;  // "4.2"
};

class TomlTable {
 public:
  // owner: the subject of messages ("joint 'elbow'"); empty at the top of the file.
  TomlTable(const toml::table& table, std::string file, std::string owner,
            std::span<const Field> fields)
      : table(table), file(std::move(file)), owner(std::move(owner)), fields(fields) {}

  bool has(std::string_view key) const { return table.contains(key); }
  bool is_number(std::string_view key) const { return has(key) && table.get(key)->is_number(); }
  int line() const { return line_of(table); }
  // of the key's value; of the table if it has no such key
  int line(std::string_view key) const;
  Place at(std::string_view key) const { return {file, line(key)}; }

  // Each is empty if the key is missing, and throws if its value is wrong.
  std::optional<double> number(const char* key) const;
  std::optional<double> angle(const char* key) const;  // a number, or an expression such as "pi/2"
  std::optional<std::string> word(const char* key) const;
  std::optional<std::vector<std::string>> words(const char* key) const;  // a string, or several
  std::optional<std::vector<double>> numbers(const char* key,
                                             std::initializer_list<size_t> counts) const;
  std::optional<Vec3<double>> vector(const char* key) const;
  std::optional<std::vector<std::array<double, 2>>> pairs(const char* key) const;
  std::optional<Vec3<double>> angles(const char* key) const;
  std::optional<Mat3<double>> rotation(const char* key) const;  // three rows, orthonormal
  const toml::table* subtable(const char* key) const;
  // Numbers or angles, any count; and lists of such.
  std::optional<std::vector<double>> angle_list(const char* key) const;
  std::optional<std::vector<std::vector<double>>> angle_lists(const char* key) const;
  std::optional<bool> flag(const char* key) const;
  bool is_table(const char* key) const;

  // "file:line: joint 'elbow': mass is a string; give a mass in kg, such as mass = 4.2"
  [[noreturn]] void refuse(const char* key, const std::string& wrong) const;
  [[noreturn]] void refuse(const Place& at, const std::string& wrong,
                           const std::string& right) const;

  // Throws for the first key that is not among the fields; `page` lists them.
  void refuse_unknown(const char* page) const;
  // A warning for every key that is not among the fields.
  void remark_unknown(std::vector<Finding>& remarks) const;

 private:
  const toml::table& table;
  std::string file, owner;
  std::span<const Field> fields;

  static int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }
  const toml::array* array(const char* key) const;
  std::vector<double> angles_of(const char* key, const toml::array& entries,
                                const std::string& of) const;
  double finite(const char* key, const toml::node& node, const std::string& said) const;
  double radians(const char* key, const toml::node& node, const std::string& said) const;
  [[noreturn]] void refuse_at(int line, const char* key, const std::string& wrong) const;
};

}  // namespace parid::model
