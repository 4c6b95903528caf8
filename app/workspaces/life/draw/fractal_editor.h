#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "app/document/scene/window/draft_editor.h"
#include "app/files/fractal_file.h"
#include "app/workspaces/life/draw/generator_draft.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The Fractal editor: a dialog that shows the grid of replicas and previews of levels 1 to 4.
class FractalEditor final : public DraftEditor<GeneratorDraft, FractalFile> {
 public:
  /// Draws one frame; `square_points` as in the picture. Returns once the fractal to apply, with the rule of
  /// the file that it came from. Save writes that rule, otherwise `runs`.
  std::optional<FractalFile> show(bool square_points, LifeRule runs);

 private:
  static constexpr int kLevels = 4;
  struct Preview {
    render::ColourTexture texture;
    int side = 0;
  };

  GeneratorDraft draft_of(const NbbFractal& fractal) const override { return app::draft_of(fractal); }
  std::optional<NbbFractal> fractal() const override;
  FractalFile read(const std::filesystem::path& file) const override { return read_fractal_file(file); }
  void box(float side);
  void rows();
  void brush_row();
  void start_row();
  void click_row();
  void levels_row();
  void previews(float side, bool square_points);
  void refresh(int side, bool square_points);

  BrushSymmetry symmetry_ = BrushSymmetry::kNone;
  /// What a click on the grid does.
  enum class Click { kPaint, kRotate, kMirror };
  Click click_ = Click::kPaint;
  std::uint64_t random_seed_ = 0;
  std::string advice_;
  std::array<Preview, kLevels> previews_;
  std::optional<GeneratorDraft> shown_;  ///< the draft that the previews show
  bool shown_square_ = false;
};

}  // namespace loom::app
