#include "motion/file/motion_file_moves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "base/text/spelling.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/quaternions.hpp"
#include "motion/path/cartesian.hpp"
#include "motion/path/joint_path.hpp"
#include "motion/scaling/limit_binding.hpp"
#include "parid/inverse_kinematics.hpp"
#include "runtime/kinematics/link_pose.hpp"

namespace parid::motion {
namespace {

constexpr Field fields[] = {
    {"kind", "\"joint\", \"via\", \"line\", \"arc\" or \"wait\"", "\"joint\""},
    {"to", "the end: joint positions, or a point", "[0.4, 0, 0.3]"},
    {"reach", "the end point of the link, three numbers in m", "[0.4, 0, 0.3]"},
    {"by", "the displacement, three numbers in m", "[0, 0, 0.1]"},
    {"through", "the poses of a via move, each an array, or the middle point of an arc",
     "[0.4, 0.1, 0.3]"},
    {"times", "the times of the poses, ascending seconds from the start of the move", "[1, 2.5]"},
    {"stop", "true or false: stop at each pose", "true"},
    {"blend", "seconds, above zero", "0.2"},
    {"duration", "seconds, above zero", "2"},
    {"speed", "the maximum speed: a fraction of the velocity limits for joints, else m/s", "0.5"},
    {"acceleration", "the maximum acceleration in m/s²", "1.5"},
    {"ramp", "seconds, above zero, at most half the duration", "0.2"},
    {"profile", "\"minimum-jerk\", \"cubic\", \"trapezoid\" or \"constant\"", "\"minimum-jerk\""},
    {"link", "the name of a link", "\"tool\""},
    {"point", "the point of the link that follows the path, in the link's frame", "[0, 0, 0.1]"},
    {"orientation", "\"keep\" or \"free\"", "\"keep\""},
    {"rpy", "roll, pitch, yaw of the link at the end", "[0, \"90 deg\", 0]"},
};

class Reader {
 public:
  Reader(const Robot& robot, const TomlTable& table, const std::vector<double>& now, double t,
         Warnings& warnings)
      : robot_(robot), table_(table), now_(now), t_(t), warnings_(warnings) {}

  Move read() const {
    const std::string kind = table_.has("kind") ? *table_.word("kind") : "";
    for (const auto& [name, keys, make] : kinds) {
      if (kind != name) continue;
      for (const Field& f : fields)
        if (table_.has(f.key) && std::string_view(f.key) != "kind" &&
            std::find(keys.begin(), keys.end(), std::string_view(f.key)) == keys.end())
          table_.refuse(table_.at(f.key),
                        fmt::format("key {} is not allowed in a move of kind \"{}\"", f.key, name),
                        fmt::format("the allowed keys are {}", fmt::join(keys, ", ")));
      return (this->*make)();
    }
    table_.refuse("kind", kind.empty() ? "the move has no kind"
                                       : fmt::format("unknown kind of move \"{}\"", kind));
  }

 private:
  struct Kind {
    const char* name;
    std::vector<std::string_view> keys;
    Move (Reader::*make)() const;
  };
  static const std::vector<Kind> kinds;

  // ---- joint space ----

  Move joint() const {
    const std::vector<double> to = goal();
    return {timed(joint_line(robot_, now_, to), joint_profile(now_, to, duration())), to};
  }

  Move wait() const {
    const auto seconds = duration();
    if (!seconds) table_.refuse("duration", "a wait needs a duration");
    return {standing(now_, *seconds), now_};
  }

  Move via() const {
    if (!table_.has("through")) table_.refuse("through", "a via move needs its poses");
    std::vector<std::vector<double>> poses{now_};
    const auto given = *table_.angle_lists("through");
    for (const std::vector<double>& pose : given)
      poses.push_back(checked(pose, fmt::format("entry {} of through", poses.size())));
    if (given.empty()) table_.refuse("through", "through is empty");
    const std::vector<double> times = via_times(poses);
    const ProfileKind kind = profile_kind();
    if (table_.flag("stop").value_or(false)) {
      std::vector<TrajectoryPointer> legs;
      for (std::size_t i = 0; i + 1 < poses.size(); ++i)
        legs.push_back(timed(joint_line(robot_, poses[i], poses[i + 1]),
                             joint_profile(poses[i], poses[i + 1], times[i + 1] - times[i])));
      return {sequence(std::move(legs)), poses.back()};
    }
    return placed([&]() -> Move {
      if (kind == ProfileKind::trapezoid) {
        const auto blend = positive("blend");
        if (!blend)
          table_.refuse(
              "blend",
              "a via move with profile \"trapezoid\" that does not stop needs a blend duration");
        return {joint_blends(robot_, poses, times, *blend), poses.back()};
      }
      if (kind == ProfileKind::constant)
        table_.refuse(table_.at("profile"), "profile \"constant\" needs stop = true",
                      "choose minimum-jerk, cubic or trapezoid, or stop at each pose");
      return {
          joint_spline(robot_, poses, times,
                       kind == ProfileKind::cubic ? Smoothness::cubic : Smoothness::minimum_jerk),
          poses.back()};
    });
  }

  // The given times, or the duration divided in proportion to the time of the slowest joint at its
  // speed limit.
  std::vector<double> via_times(const std::vector<std::vector<double>>& poses) const {
    std::vector<double> times{0};
    if (const auto given = table_.angle_list("times")) {
      if (table_.has("duration"))
        table_.refuse(table_.at("duration"), "both times and duration are given", "omit one");
      if (given->size() + 1 != poses.size())
        table_.refuse("times",
                      fmt::format("times has {} {}, but there are {} poses", given->size(),
                                  given->size() == 1 ? "entry" : "entries", poses.size() - 1));
      for (const double t : *given) {
        if (!(t > times.back()))
          table_.refuse("times", fmt::format("times are not ascending: {} is followed by {}",
                                             times.back(), t));
        times.push_back(t);
      }
      within_a_day("times", times.back());
      return times;
    }
    const auto whole = duration();
    if (!whole) table_.refuse("times", "the duration of the move is missing");
    for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
      const double way = slowest(poses[i], poses[i + 1]);
      if (!(way > 0))
        table_.refuse(table_.at("through"),
                      fmt::format("entry {} of through equals the pose before it", i + 1),
                      "remove it, or give times");
      times.push_back(times.back() + way);
    }
    for (double& t : times) t *= *whole / times.back();
    times.back() = *whole;
    return times;
  }

  // Seconds that the slowest joint needs at its speed limit; at 1 rad/s or m/s if it has none.
  double slowest(const std::vector<double>& from, const std::vector<double>& to) const {
    const std::vector<double> way = joint_way(robot_, from, to);
    const DriveLimits limits = drive_limits(robot_);
    double most = 0;
    for (std::size_t k = 0; k < way.size(); ++k)
      most = std::max(
          most, std::abs(way[k]) / (std::isfinite(limits.velocity[k]) ? limits.velocity[k] : 1));
    return most;
  }

  Profile joint_profile(const std::vector<double>& from, const std::vector<double>& to,
                        std::optional<double> seconds) const {
    const ProfileKind kind = profile_kind();
    const auto share = positive("speed");
    if (share && table_.has("duration"))
      table_.refuse(table_.at("speed"), "both speed and duration are given", "omit one");
    if (!seconds && share) {
      if (*share > 1)
        table_.refuse("speed",
                      fmt::format("speed {} exceeds the joints' velocity limits (1)", *share));
      const DriveLimits limits = drive_limits(robot_);
      const std::vector<double> way = joint_way(robot_, from, to);
      for (std::size_t k = 0; k < way.size(); ++k)
        if (way[k] != 0 && !std::isfinite(limits.velocity[k]))
          table_.refuse(
              table_.at("speed"),
              fmt::format("'{}' moves but has no velocity limit, of which speed is a fraction",
                          robot_.velocity_names()[k]),
              "give duration instead");
      const double ramps = kind == ProfileKind::trapezoid && table_.has("ramp")
                               ? *positive("ramp")
                               : 0;  // full speed is reached after them
      const double needs = slowest(from, to) / *share;
      seconds = ramps > 0 ? std::max(needs + ramps, 2 * ramps) : needs * profile_of(1).peak_speed();
      if (!(*seconds > 0))
        table_.refuse(table_.at("to"), "the end of the move equals its start", "remove the move");
      within_a_day("speed", *seconds);
    }
    if (!seconds) table_.refuse("duration", "the duration of the move is missing");
    return profile_of(*seconds);
  }

  // ---- space ----

  Move line() const { return cartesian_move(false); }
  Move arc() const { return cartesian_move(true); }

  Move cartesian_move(bool arc) const {
    const std::string link = table_.word("link").value_or(robot_.tip());
    CartesianOptions options;
    options.starts_at = t_;
    options.point = table_.vector("point").value_or(Vec3<double>{});
    const std::string orientation = table_.word("orientation").value_or("keep");
    if (orientation != "keep" && orientation != "free")
      table_.refuse("orientation", fmt::format("orientation is \"{}\"", orientation));
    options.orientation = orientation == "keep";
    if (table_.has("rpy") && !options.orientation)
      table_.refuse(table_.at("rpy"), "rpy sets an orientation, but orientation is \"free\"",
                    "omit one");
    return placed([&]() -> Move {
      const Pose<double> stands = pose_of(link_pose(robot_, now_, link));
      const Pose<double> from{stands.R, stands * options.point};
      Pose<double> to = from;
      if (table_.has("to") == table_.has("by") && !(table_.has("rpy") && !table_.has("to")))
        table_.refuse(table_.at("to"), "the move needs either to or by",
                      "give to = [x, y, z] or by = [dx, dy, dz]");
      if (const auto p = table_.vector("to")) to.p = *p;
      if (const auto d = table_.vector("by")) to.p = from.p + *d;
      if (const auto rpy = table_.angles("rpy"))
        to.R = pose_of(LinkPose::from_rpy({}, array(*rpy))).R;
      if (arc && !table_.has("through")) table_.refuse("through", "the arc needs a middle point");
      const PosePath path =
          arc ? PosePath::through(from, *table_.vector("through"), to) : PosePath::line(from, to);
      const Profile profile = space_profile(path);
      Move move{cartesian(robot_, link, path, now_, profile, options), now_};
      std::vector<double> v(robot_.nv()), a(robot_.nv());
      move.trajectory->at(profile.duration, move.end, v, a);
      return move;
    });
  }

  Profile space_profile(const PosePath& path) const {
    const Profile profile = asked_profile(path);
    within_a_day(table_.has("speed") ? "speed" : "acceleration", profile.duration);
    return profile;
  }
  Profile asked_profile(const PosePath& path) const {
    const auto seconds = duration(), speed = positive("speed"), pull = positive("acceleration");
    if (seconds) {
      for (const char* key : {"speed", "acceleration"})
        if (table_.has(key))
          table_.refuse(table_.at(key), fmt::format("both {} and duration are given", key),
                        "omit one");
      return profile_of(*seconds);
    }
    if (!speed && !pull) table_.refuse("duration", "the duration of the move is missing");
    if (!(path.length() > 0))
      table_.refuse(table_.at("speed"),
                    "the point does not move, so speed does not define a duration",
                    "give duration");
    if (profile_kind() == ProfileKind::constant && !speed)
      table_.refuse("speed", "profile \"constant\" needs a speed");
    if (const auto ramp = positive("ramp"); ramp && profile_kind() == ProfileKind::trapezoid) {
      if (pull || !speed)
        table_.refuse(table_.at("ramp"), "ramp requires speed without acceleration",
                      "omit acceleration or ramp");
      return Profile::trapezoid(std::max(path.length() / *speed + *ramp, 2 * *ramp), *ramp);
    }
    return Profile::within(profile_kind(), path.length(), speed.value_or(Limits::none),
                           pull.value_or(Limits::none));
  }

  // ---- shared by several kinds ----

  std::vector<double> goal() const {
    if (table_.has("to") && table_.has("reach"))
      table_.refuse(table_.at("reach"), "both to and reach are given", "omit one");
    if (table_.has("to")) return positions(robot_, table_, "to", now_, warnings_);
    const auto at = table_.vector("reach");
    if (!at) table_.refuse("to", "the end of the move is missing");
    const std::string link = table_.word("link").value_or(robot_.tip());
    try {
      InverseKinematics ik(robot_, link);
      const auto rpy = table_.angles("rpy");
      const IkSolution found = rpy ? ik.solve(LinkPose::from_rpy(array(*at), array(*rpy)), now_)
                                   : ik.solve(array(*at), now_);
      if (found) return found.q;
      table_.refuse(table_.at("reach"), found.why, "");
    } catch (const Error& e) {
      const std::string file = table_.at("reach").file, said = e.what();
      if (said.starts_with(file + ":")) throw;
      table_.refuse(table_.at("reach"), said, "");
    }
  }
  std::vector<double> checked(std::vector<double> q, const std::string& said) const;

  std::optional<double> positive(const char* key) const {
    const auto x = table_.number(key);
    if (x && !(*x > 0)) table_.refuse(key, fmt::format("{} is {}", key, *x));
    return x;
  }
  // A limit of one day rejects durations with a mistyped exponent.
  void within_a_day(const char* key, double seconds) const {
    constexpr double longest = 86400;
    if (!(seconds <= longest))
      table_.refuse(table_.at(key), fmt::format("{} gives a duration of {:.6g} s", key, seconds),
                    fmt::format("the limit is one day, {} s", longest));
  }
  std::optional<double> duration() const {
    const auto seconds = positive("duration");
    if (seconds) within_a_day("duration", *seconds);
    return seconds;
  }

  ProfileKind profile_kind() const {
    const std::string name = table_.word("profile").value_or(profile_names[0]);
    for (int k = 0; k < 4; ++k)
      if (name == profile_names[k]) return static_cast<ProfileKind>(k);
    table_.refuse("profile", fmt::format("unknown profile \"{}\"", name));
  }
  Profile profile_of(double seconds) const {
    const ProfileKind kind = profile_kind();
    const auto ramp = positive("ramp");
    if (kind != ProfileKind::trapezoid) {
      if (ramp)
        table_.refuse(table_.at("ramp"), "only profile \"trapezoid\" has ramps",
                      "omit ramp, or give profile = \"trapezoid\"");
      return {kind, seconds};
    }
    if (ramp && *ramp > seconds / 2 * (1 + 1e-12) && table_.has("duration"))
      table_.refuse("ramp", fmt::format("two ramps of {} s do not fit into {} s", *ramp, seconds));
    return Profile::trapezoid(seconds, ramp.value_or(seconds / 4));
  }

  // Adds the move's line to errors.
  template <class Make>
  Move placed(const Make& make) const {
    try {
      return make();
    } catch (const Error& e) {
      const std::string said = e.what(), file = table_.at("kind").file;
      if (said.starts_with(file + ":")) throw;
      table_.refuse(Place{file, table_.line()}, said, "");
    }
  }

  const Robot& robot_;
  const TomlTable& table_;
  const std::vector<double>& now_;
  double t_;
  Warnings& warnings_;
};

const std::vector<Reader::Kind> Reader::kinds = {
    {"joint",
     {"to", "reach", "rpy", "link", "duration", "speed", "profile", "ramp"},
     &Reader::joint},
    {"via", {"through", "times", "duration", "stop", "profile", "blend", "ramp"}, &Reader::via},
    {"line",
     {"to", "by", "rpy", "orientation", "link", "point", "duration", "speed", "acceleration",
      "profile", "ramp"},
     &Reader::line},
    {"arc",
     {"through", "to", "by", "rpy", "orientation", "link", "point", "duration", "speed",
      "acceleration", "profile", "ramp"},
     &Reader::arc},
    {"wait", {"duration"}, &Reader::wait},
};

void normalise_quaternions(const Robot& robot, const TomlTable& table, const char* key,
                           std::vector<double>& q, Warnings& warnings) {
  for_each_quaternion(robot.description(), [&](const JointDescription& j, int p) {
    const double length = normalise_quaternion(&q[p]);
    if (is_unit_length(length)) return;
    const std::string said =
        fmt::format("the quaternion of joint '{}' has length {:.8g} instead of 1", j.name, length);
    if (!has_direction(length))
      table.refuse(table.at(key), said, "give a unit quaternion x, y, z, w");
    warnings.push_back(
        fmt::format("{}: warning: {}; normalized (order x, y, z, w)", table.at(key).text(), said));
  });
}

// Requires as many positions as the robot has.
std::vector<double> Reader::checked(std::vector<double> q, const std::string& said) const {
  if (static_cast<int>(q.size()) != robot_.nq())
    table_.refuse(table_.at("through"),
                  fmt::format("{} has {} {}", said, q.size(), q.size() == 1 ? "entry" : "entries"),
                  fmt::format("robot '{}' has {} positions: {}", robot_.name(), robot_.nq(),
                              fmt::join(robot_.position_names(), ", ")));
  normalise_quaternions(robot_, table_, "through", q, warnings_);
  return q;
}

// Uses hash lookups in both directions: both lists may be as long as the robot's joints.
void refuse_unknown_names(const Robot& robot, const TomlTable& table, const char* key,
                          const toml::table& given) {
  const std::vector<std::string>& names = robot.position_names();
  const auto known = std::count_if(names.begin(), names.end(),
                                   [&](const std::string& name) { return given.contains(name); });
  if (static_cast<std::size_t>(known) == given.size()) return;
  const std::unordered_set<std::string_view> all(names.begin(), names.end());
  for (const auto& [name, node] : given)
    if (!all.contains(name.str()))
      table.refuse({table.at(key).file, static_cast<int>(name.source().begin.line)},
                   fmt::format("{}: robot '{}' has no joint '{}'", key, robot.name(), name.str()),
                   fmt::format("{}its joints are {}", did_you_mean(name.str(), names),
                               fmt::join(names, ", ")));
}

}  // namespace

std::span<const Field> move_fields() { return fields; }

std::vector<double> positions(const Robot& robot, const TomlTable& table, const char* key,
                              const std::vector<double>& now, Warnings& warnings) {
  std::vector<double> q = now;
  const std::vector<std::string>& names = robot.position_names();
  if (table.is_table(key)) {
    const toml::table& given = *table.subtable(key);
    refuse_unknown_names(robot, table, key, given);
    std::vector<Field> known;
    for (const std::string& name : names)
      known.push_back({name.c_str(), "a number, or an angle such as \"90 deg\"", "1.2"});
    const TomlTable some(given, table.at(key).file, key, known);
    for (std::size_t k = 0; k < names.size(); ++k)
      if (const auto x = some.angle(names[k].c_str())) q[k] = *x;
  } else {
    q = *table.angle_list(key);
    if (q.size() != names.size())
      table.refuse(
          table.at(key),
          fmt::format("{} has {} {}", key, q.size(), q.size() == 1 ? "entry" : "entries"),
          fmt::format("robot '{}' has {} positions: {}; or name some, as in {} = {{\"{}\" = "
                      "0.5}}",
                      robot.name(), names.size(), fmt::join(names, ", "), key, names[0]));
  }
  normalise_quaternions(robot, table, key, q, warnings);
  return q;
}

Move read_move(const Robot& robot, const TomlTable& table, const std::vector<double>& now, double t,
               Warnings& warnings) {
  return Reader(robot, table, now, t, warnings).read();
}

}  // namespace parid::motion
