// All of the public API.

#pragma once

#include "parid/codegen.hpp"
#include "parid/control.hpp"
#include "parid/controllers.hpp"
#include "parid/denormals.hpp"
#include "parid/dynamics.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "parid/forward_friction.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/inverse_kinematics.hpp"
#include "parid/kinematics.hpp"
#include "parid/momentum_observer.hpp"
#include "parid/parallel_evaluation.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "parid/sampled_trajectory.hpp"
#include "parid/simulation.hpp"
#include "parid/torque_method.hpp"
#include "parid/torque_source.hpp"
#include "parid/trajectory.hpp"
