#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/document/scene/window/draft_editor.h"
#include "app/files/fractal_file.h"
#include "compute/geometry/solid_fractal.h"
#include "render/colour_texture.h"
#include "render/palette.h"

namespace loom::app {

/// The generator of a three-dimensional fractal while it is drawn; it may not be a fractal yet.
struct SolidDraft {
  std::string name = "custom";
  Coord3 scale{2, 2, 2};       ///< each side 1 to kMaxSolidScale
  std::uint64_t replicas = 0;  ///< bit x + 4 y + 16 z: a replica at this offset

  bool at(Coord3 offset) const { return (replicas >> bit_of(offset) & 1u) != 0; }
  void set(Coord3 offset, bool on);
  /// Another scale keeps the replicas that are inside it.
  void set_scale(Coord3 changed);
  /// The offsets within the scale, row by row: x fastest, then y, then z.
  std::vector<Coord3> offsets() const;
  friend bool operator==(const SolidDraft&, const SolidDraft&) = default;

 private:
  static std::uint32_t bit_of(Coord3 offset) { return offset.x + 4 * offset.y + 16 * offset.z; }
};

SolidDraft draft_of(const SolidFractal& fractal);
/// The fractal of a draft. Throws InputError with what is allowed.
SolidFractal fractal_of(const SolidDraft& draft);

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
