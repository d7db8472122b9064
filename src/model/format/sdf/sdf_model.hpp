// Models of an SDF file with their includes, before frames are resolved.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "math/pose.hpp"
#include "model/description.hpp"
#include "model/format/xml/node.hpp"
#include "model/format/xml/places.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model::sdf {

struct Version {
  int major = 1, minor = 4;
  bool before(int m, int n) const { return major < m || (major == m && minor < n); }
};

// A <model> element with the version of its file, and the place from which it is included.
struct Model {
  std::string name;
  xml::Node element;  // its own children; nested models are in `nested`
  Version version;
  std::vector<Model> nested;
  bool merged = false;  // <include merge="true">: its names are its parent's
  // The <include> that places it, instead of the model's own pose.
  std::shared_ptr<const xml::Node> including;
  bool is_static = false;
};

struct File {
  Model model;
  std::vector<xml::Node> world_frames;
  Vec3<double> gravity{0, 0, -9.81};
  std::string world;  // its name; empty: the file has no world
  Version version;
  xml::Places places;
};

// Reads the file and everything that the chosen model includes.
File read_file(const std::string& text, const std::string& file, const LoadOptions&,
               std::vector<Finding>& remarks);

// Numbers and names in elements. Errors name the element's line.
std::string required_attribute(const xml::Node&, const char* name);
double number_in(const xml::Node&);
std::vector<double> numbers_in(const xml::Node&, std::size_t count);
bool truth_in(const xml::Node&);
double child_number(const xml::Node&, const char* name, double otherwise);
// x y z roll pitch yaw, in radians unless the element specifies degrees; or a quaternion.
Pose<double> pose_in(const xml::Node& pose);

}  // namespace parid::model::sdf
