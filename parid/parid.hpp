// Everything most programs need: load a robot, get its torques.

#pragma once

#include "parid/error.hpp"
#include "parid/model/robot.hpp"
#include "parid/run/dynamics.hpp"
#include "parid/run/engine.hpp"
#include "parid/run/inverse_kinematics.hpp"
#include "parid/run/kinematics.hpp"
