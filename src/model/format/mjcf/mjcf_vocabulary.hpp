// Parts of a model that a description cannot represent, and words that look misspelt.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/format/mjcf/mjcf_document.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

// Parts of the model that are left out: one warning per kind, at the first of them.
class NotRepresented {
 public:
  explicit NotRepresented(const Document& document) : document_(document) {}

  // `kind`: "springs of joints"; `consequence`: "torques leave them out"; `name` may be empty.
  void add(const std::string& kind, const std::string& consequence, int line,
           const std::string& name);
  // An element of a body that is not read.
  void body_element(const Element&);
  // The mass of a geom of this body cannot be computed. `matters`: the body can move.
  void unread_mesh(const std::string& body, int line, const std::string& why, bool matters);

  void remark_on(Description&) const;

 private:
  struct Kind {
    std::string consequence;
    int line;
    std::vector<std::string> names;  // the first few
    std::size_t count = 0;
  };
  const Document& document_;
  std::map<std::string, Kind> kinds_;
  std::vector<const Element*> unknown_;
  std::vector<Finding> meshes_;
  std::string last_body_;
};

// Reports sections, elements and attributes that MJCF does not have.
void remark_on_words(const Document&, Description&);

}  // namespace parid::model::mjcf
