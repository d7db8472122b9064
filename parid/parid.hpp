// Everything most programs need: load a robot, get its torques.

#pragma once

#include "parid/error.hpp"
#include "parid/model/robot.hpp"
#include "parid/run/answers.hpp"
#include "parid/run/denormals.hpp"
#include "parid/run/dynamics.hpp"
#include "parid/run/engine.hpp"
#include "parid/run/forward_friction.hpp"
#include "parid/run/inverse_kinematics.hpp"
#include "parid/run/kinematics.hpp"
#include "parid/run/momentum_observer.hpp"
#include "parid/simulate/controllers.hpp"
#include "parid/simulate/simulation.hpp"
#include "parid/simulate/torque_source.hpp"
