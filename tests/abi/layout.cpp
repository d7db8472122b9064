// Prints size and alignment of every public type, for tests/abi/symbols to compare with layout.txt.

#include <cstdio>

#include "parid/parid.hpp"

#define SHOW(type) std::printf("%s %zu %zu\n", #type, sizeof(parid::type), alignof(parid::type))

int main() {
  SHOW(ArrayInfo);
  SHOW(CodeFile);
  SHOW(CodeLanguage);
  SHOW(CodeOptions);
  SHOW(ControlLoopOptions);
  SHOW(ControlLoopResult);
  SHOW(ControllerEntry);
  SHOW(DenormalsAreZero);
  SHOW(ElasticDynamics);
  SHOW(ElasticJoint);
  SHOW(EnergyState);
  SHOW(Engine);
  SHOW(EngineOptions);
  SHOW(Error);
  SHOW(FaultObserver);
  SHOW(FaultReport);
  SHOW(ForwardFriction);
  SHOW(FourBarLinkage);
  SHOW(FrictionTorques);
  SHOW(Gains);
  SHOW(GeneratedCode);
  SHOW(HeaviestPayload);
  SHOW(IkBranch);
  SHOW(IkOptions);
  SHOW(IkReport);
  SHOW(IkSolution);
  SHOW(InverseKinematics);
  SHOW(JointElasticity);
  SHOW(JointLoad);
  SHOW(Kinematics);
  SHOW(LimitBreak);
  SHOW(LimitUse);
  SHOW(LimitsOptions);
  SHOW(LimitsReport);
  SHOW(LinkPose);
  SHOW(LinkRate);
  SHOW(LoadOptions);
  SHOW(LongChain);
  SHOW(MimicLaw);
  SHOW(MomentumObserver);
  SHOW(MotorMotion);
  SHOW(OperationalSpace);
  SHOW(ParallelEvaluation);
  SHOW(ParallelNetwork);
  SHOW(ParallelStep);
  SHOW(ParallelTransfer);
  SHOW(PayloadMap);
  SHOW(PayloadMapOptions);
  SHOW(PayloadPlace);
  SHOW(PayloadRing);
  SHOW(Place);
  SHOW(PlannedTrajectory);
  SHOW(ProcessorOperations);
  SHOW(QuantityInfo);
  SHOW(Reaction);
  SHOW(RetimedTrajectory);
  SHOW(Robot);
  SHOW(SampledController);
  SHOW(SampledTrajectory);
  SHOW(Simulation);
  SHOW(SimulationOptions);
  SHOW(SimulationResult);
  SHOW(StaleErrors);
  SHOW(StalePolicyInfo);
  SHOW(StridedInput);
  SHOW(StridedInputFloat);
  SHOW(StridedOutput);
  SHOW(StridedOutputFloat);
  SHOW(TorqueMethod);
  SHOW(TorqueMethodOptions);
  SHOW(TorqueSamples);
  SHOW(TorqueSource);
  SHOW(Watch);
  SHOW(Workspace);
  SHOW(WorkspaceOptions);
}
