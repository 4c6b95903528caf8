#include "app/program/save_program.h"

#include <fmt/format.h>

#include "app/document/image/window/save_image.h"
#include "app/export/export_program.h"
#include "app/files/file_kind.h"
#include "app/files/output_file.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

class SaveProgram final : public image::SaveDialog {
 public:
  explicit SaveProgram(scene::SceneSource& source)
      : SaveDialog({.title = "Export program",
                    .key = "Ctrl Shift E",
                    .help = "export what the scene computes as a CUDA or C++ program",
                    .what = "program",
                    .verb = "Export",
                    .doing = "writing",
                    .state = "program_export"},
                   with_ctrl_shift('e'), source) {}

 private:
  std::string on_open() override { return plain_file_name(workspace().id()) + ".cu"; }
  void rows() override {}
  std::string name_hint() const override {
    return "A name that ends in .cu: CUDA, for nvcc. One that ends in .cpp: C++ with OpenMP, for a CPU";
  }
  std::string disabled_reason() const override {
    const std::string_view id = workspace().id();
    if (id == LifeState::kId || id == SolidState::kId) return {};
    return "A program computes life on a fractal, in the workspaces Life and 3-D";
  }
  std::string remark() const override {
    return "It contains the map, fractal, rule and start of the scene, and prints the state hash.";
  }
  void check() const override { text(); }
  void start() override {
    work([text = text(), to = file()](ProgressMonitor& monitor) {
      write_file(to, text, &monitor);
      return std::string();
    });
  }
  // The cells follow from their start: none are copied.
  void on_data_copied(scene::Scene) override {}

  std::string text() const {
    const std::string extension = lower_extension(file());
    if (extension != ".cu" && extension != ".cpp")
      throw InputError(fmt::format("{} has another ending; allowed: .cu (CUDA), .cpp (C++)", file()));
    const auto language = extension == ".cu" ? exporting::Language::kCuda : exporting::Language::kCpp;
    const scene::Scene scene = source().describe(StateNeed::kWithoutEngine);
    const auto of = [&](const auto& state, const auto& work) {
      return program_text(exporting::program_of(state.settings.config, work, state.cells), language);
    };
    if (scene.workspace == SolidState::kId) {
      const SolidState& state = state_of<SolidState>(scene);
      return of(state, state.settings.work);
    }
    const LifeState& state = state_of<LifeState>(scene);
    return of(state, state.settings.work());
  }
};

}  // namespace

std::unique_ptr<DocumentHandler> make_save_program(scene::SceneSource& source) {
  return std::make_unique<SaveProgram>(source);
}

}  // namespace loom::app
