#pragma once

#include <optional>

#include "app/document/scene/window/draft_editor.h"
#include "app/files/solid_file.h"
#include "app/workspaces/solid/draw/solid_draft.h"
#include "render/colour_texture.h"
#include "render/palette.h"

namespace loom::app {

/// The Fractal editor of the 3-D workspace: a dialog with the generator slice by slice along z, and a preview
/// of level 2.
class SolidEditor final : public DraftEditor<SolidDraft, SolidFile> {
 public:
  /// Draws one frame. Returns once the fractal to apply, with the rule of the file that it came from. Save
  /// writes that rule, otherwise `runs`.
  std::optional<SolidFile> show(const render::Palette& palette, SolidRule runs);

 private:
  SolidDraft draft_of(const SolidFractal& fractal) const override { return app::draft_of(fractal); }
  std::optional<SolidFractal> fractal() const override;
  SolidFile read(const std::filesystem::path& file) const override;
  void slices(float side);
  void rows();
  void preview(float side, const render::Palette& palette);

  std::optional<SolidDraft> previewed_;
  render::ColourTexture texture_;
};

}  // namespace loom::app
