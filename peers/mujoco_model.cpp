#include "peers/mujoco_model.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>

#include "peers/tree.hpp"

namespace parid::peers {
namespace {

constexpr const char* who = "MuJoCo";

struct Delete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
  void operator()(mjVFS* v) const {
    mj_deleteVFS(v);
    delete v;
  }
};

class Model : public MujocoModel {
 public:
  explicit Model(const std::string& xml) {
    const std::unique_ptr<mjVFS, Delete> files(new mjVFS);
    mj_defaultVFS(files.get());
    if (mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(xml.size())) != 0)
      cannot(who, "its virtual file system does not accept a model of this size");
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "robot.xml")], xml.data(), xml.size());
    char error[1000] = "";
    model_.reset(mj_loadXML("robot.xml", files.get(), error, sizeof error));
    if (!model_) cannot(who, error);
    data_.reset(mj_makeData(model_.get()));
    for (int k = 0; k < model_->njnt; ++k) {
      const char* name = mj_id2name(model_.get(), mjOBJ_JOINT, k);
      joints_.push_back(
          {name ? name : "", model_->jnt_type[k], model_->jnt_qposadr[k], model_->jnt_dofadr[k]});
    }
  }
  int nq() const override { return model_->nq; }
  int nv() const override { return model_->nv; }
  const std::vector<Joint>& joints() const override { return joints_; }

  std::vector<double> mass_matrix(const std::vector<double>& qpos) override {
    put(qpos, std::vector<double>(model_->nv));
    mj_crb(model_.get(), data_.get());
    std::vector<double> M(static_cast<std::size_t>(model_->nv) * model_->nv);
    mj_fullM(model_.get(), M.data(), data_->qM);
    return M;
  }
  std::vector<double> bias(const std::vector<double>& qpos,
                           const std::vector<double>& qvel) override {
    put(qpos, qvel);
    mj_comVel(model_.get(), data_.get());
    std::vector<double> out(model_->nv);
    mj_rne(model_.get(), data_.get(), 0, out.data());
    return out;
  }

 private:
  void put(const std::vector<double>& qpos, const std::vector<double>& qvel) {
    std::copy(qpos.begin(), qpos.end(), data_->qpos);
    std::copy(qvel.begin(), qvel.end(), data_->qvel);
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
  }

  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<Joint> joints_;
};

}  // namespace

std::unique_ptr<MujocoModel> mujoco_model(const std::string& mjcf) {
  return std::make_unique<Model>(mjcf);
}

}  // namespace parid::peers
