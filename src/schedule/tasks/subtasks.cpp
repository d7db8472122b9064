#include "schedule/tasks/subtasks.hpp"

#include <algorithm>

namespace parid::schedule {

// clang-format off
const std::array<Subtask, 43>& subtasks() {
  using List = std::vector<int>;
  const List sums = {27, 28, 29, 33, 34, 35, 36, 37, 38, 39, 40};
  static const std::array<Subtask, 43> all = {{
      {1, "w_x of R' w", {}, {1, 2, 3}, {}},
      {2, "w_y of R' w", {}, {1, 2, 3}, {}},
      {3, "w_z + qd; qd w_y, qd w_x", {1, 2}, {}, {}},
      {4, "al_x of R' al", {}, {6}, {}},
      {5, "al_y of R' al", {}, {6}, {}},
      {6, "al + (qd w_y, -qd w_x, qdd)", {3, 4, 5}, {}, {}},
      {7, "k = w_y w_z, w_z w_x, w_x w_y", {1, 2, 3}, {}, {}},
      {8, "squares of w", {1, 2, 3}, {}, {}},
      {9, "lambda's diagonal", {8}, {}, {}},
      {10, "k + al", {6, 7}, {}, {}},
      {11, "k - al", {6, 7}, {}, {}},
      {12, "products of lambda p, x", {}, {9, 10, 11}, {}},
      {13, "products of lambda p, y", {}, {9, 10, 11}, {}},
      {14, "products of lambda p, z", {}, {9, 10, 11}, {}},
      {15, "a + lambda p, x", {12, 13, 14}, {18, 19}, {}},
      {16, "a + lambda p, y", {12, 13, 14}, {18, 19}, {}},
      {17, "a + lambda p, z", {12, 13, 14}, {18, 19}, {}},
      {18, "a_x of R' a", {15, 16, 17}, {}, {}},
      {19, "a_y of R' a", {15, 16, 17}, {}, {}},
      {20, "products of lambda s, x", {9, 10, 11}, {}, {}},
      {21, "products of lambda s, y", {9, 10, 11}, {}, {}},
      {22, "products of lambda s, z", {9, 10, 11}, {}, {}},
      {23, "a + lambda s, x", {18, 19, 20, 21, 22}, {}, {}},
      {24, "a + lambda s, y", {18, 19, 20, 21, 22}, {}, {}},
      {25, "a + lambda s, z", {18, 19, 20, 21, 22}, {}, {}},
      {26, "F = m a_c", {23, 24, 25}, {}, {}},
      {27, "N_x", {6, 7}, {}, {}},
      {28, "N_y", {6, 7}, {}, {}},
      {29, "N_z", {6, 7}, {}, {}},
      {30, "R f, first", {}, {}, {32}},
      {31, "R f, second", {}, {}, {32}},
      {32, "f = F + R f", {26, 30, 31}, {}, {}},
      {33, "p x R f, x", {30, 31}, {}, {}},
      {34, "p x R f, y", {30, 31}, {}, {}},
      {35, "p x R f, z", {30, 31}, {}, {}},
      {36, "s x F, x", {26}, {}, {}},
      {37, "s x F, y", {26}, {}, {}},
      {38, "s x F, z", {26}, {}, {}},
      {39, "R n, first", {}, {}, {41, 42, 43}},
      {40, "R n, second", {}, {}, {41, 42, 43}},
      {41, "n_x", sums, {}, {}},
      {42, "n_y", sums, {}, {}},
      {43, "n_z", sums, {}, {}},
  }};
  return all;
}

int subtask_layer(int links, int link, int number) {
  if (number >= 44 && number <= 47)  // after λ, whose layer is one before
    return (link == 1 ? 1 : 2 * link + 1) + (number > 44);
  if (number >= 26) {
    const int first = 2 * links + 3 + 2 * (links - link);
    return number <= 31 ? first : number <= 40 || number >= 48 ? first + 1 : first + 2;
  }
  if (link == 1) return number >= 23 ? 2 : 1;
  static constexpr int step[26] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5};
  return 2 * link - 3 + step[number];
}
// clang-format on

Task::Recursion subtask_recursion(int number) {
  const bool forward =
      number <= 25 || (number >= 44 && number <= 47) || (number >= 51 && number <= 68);
  return forward ? Task::Recursion::forward : Task::Recursion::backward;
}

std::set<int> needed_subtasks(int links, int link, const LinkShape& shape) {
  return needed_subtasks(link == 1, link == links, shape);
}

std::set<int> further_subtasks(bool prismatic, const Elements& p) {
  std::set<int> kept = {32, 41, 42};
  if (!prismatic) kept.insert({30, 31, 39, 40});
  for (int k = 0; k < count(p); ++k) kept.insert(35 - k);
  return kept;
}

std::set<int> needed_subtasks(bool first, bool last, const LinkShape& shape) {
  std::set<int> kept;
  for (const Subtask& s : subtasks()) kept.insert(s.number);
  auto leave_out = [&](std::initializer_list<int> numbers) {
    for (const int k : numbers) kept.erase(k);
  };
  // Table 4.5: of the six subtasks of a product with λ, and of the three of a cross product.
  auto sparse = [&](int elements, int products, int cross) {
    if (elements <= 2 && products > 0) leave_out({products, products + 1});
    if (elements <= 1 && products > 0) leave_out({products + 2, products + 3});
    if (elements == 0 && products > 0) leave_out({products + 4, products + 5});
    if (elements <= 2 && cross > 0) leave_out({cross});
    if (elements <= 1 && cross > 0) leave_out({cross + 1});
    if (elements == 0 && cross > 0) leave_out({cross + 2});
  };
  sparse(count(shape.p_in), 12, 0);
  sparse(count(shape.s), 20, 36);
  sparse(count(shape.p_out), 0, 33);
  if (shape.prismatic) {
    leave_out({1, 2, 4, 5});
    if (!shape.turned) leave_out({7, 8, 9, 10, 11});
    // Its rotation takes no operation: 6, 18 and 19 have room for one product with λ.
    if (count(shape.p_in) <= 1 && !shape.turned) leave_out({12, 13, 14, 15, 16, 17});
  }
  if (first) {
    leave_out({1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 27});
    if (!shape.gravity_turns) leave_out({18, 19});
    kept.insert(10);
  }
  if (last) leave_out({30, 31, 32, 33, 34, 35, 39, 40});
  const int products = count(shape.products), turned = shape.products[0] + shape.products[1];
  if (first && !shape.prismatic)
    for (int k = 0; k < turned; ++k) kept.insert(45 + k);
  if (first) return kept;
  if (products > 0) kept.insert({44, 45, 48});
  if (products > 1) kept.insert({46, 47});
  if (products > 2) kept.insert({49, 50});
  return kept;
}

namespace {

class Bridge {
 public:
  Bridge(int links, const std::set<int>& kept) : links_(links), kept_(kept) {}

  // The predecessors of `name` among those that are kept.
  void collect(int name, std::set<int>& found) {
    const int link = name / 100, number = name % 100;
    const Subtask& s = subtasks()[number - 1];
    for (const int k : s.same) take(100 * link + k, found);
    if (link > 1)
      for (const int k : s.before) take(100 * (link - 1) + k, found);
    if (link < links_)
      for (const int k : s.after) take(100 * (link + 1) + k, found);
  }

 private:
  void take(int name, std::set<int>& found) {
    if (kept_.count(name))
      found.insert(name);
    else
      collect(name, found);
  }
  int links_;
  const std::set<int>& kept_;
};

}  // namespace

TaskGraph subtask_graph(int links, const std::set<int>& kept, bool edges) {
  TaskGraph g;
  std::vector<int> names(kept.begin(), kept.end()), index(100 * (links + 1), -1);
  for (const int name : names)
    index[name] =
        g.add({std::to_string(name), 1, name / 100, subtask_layer(links, name / 100, name % 100),
               subtask_recursion(name % 100)});
  if (!edges) return g;
  Bridge bridge(links, kept);
  for (const int name : names) {
    std::set<int> before;
    bridge.collect(name, before);
    for (const int b : before) g.precede(index[b], index[name], 0);
  }
  return g;
}

namespace {

std::set<int> general_subtasks(int links) {
  std::set<int> kept;
  for (int i = 1; i <= links; ++i)
    for (const int k : needed_subtasks(links, i, {})) kept.insert(100 * i + k);
  return kept;
}

}  // namespace

std::set<int> printed_general_subtasks() {
  std::set<int> kept = general_subtasks(6);
  kept.erase(128);
  return kept;
}

std::vector<LinkShape> printed_stanford_shapes() {
  constexpr bool o = false, x = true;
  std::vector<LinkShape> shape(6);
  const Elements s[] = {{o, x, x}, {o, o, x}, {o, o, x}, {o, x, x}, {o, x, x}, {o, o, x}};
  const Elements p[] = {{o, x, o}, {o, x, o}, {o, o, o}, {o, o, o}, {o, o, o}, {o, o, o}};
  for (int i = 0; i < 6; ++i) {
    shape[i].s = s[i];
    shape[i].p_out = p[i];
    shape[i].p_in = i == 0 ? Elements{o, o, o} : p[i - 1];
  }
  shape[2].prismatic = true;
  return shape;
}

std::set<int> printed_stanford_subtasks() {
  std::set<int> kept;
  const std::vector<LinkShape> shape = printed_stanford_shapes();
  for (int i = 1; i <= 6; ++i)
    for (const int k : needed_subtasks(6, i, shape[i - 1])) kept.insert(100 * i + k);
  for (const int k : {128, 129}) kept.erase(k);
  for (const int k : {120, 121, 127, 233}) kept.insert(k);
  return kept;
}

}  // namespace parid::schedule
