#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/document/scene/window/draft_editor.h"
#include "app/files/fractal_file.h"
#include "compute/core/input_text.h"
#include "compute/geometry/nbb_fractal.h"
#include "render/colour_texture.h"

namespace loom::app {

/// BrushSymmetry of a brush stroke.
enum class BrushSymmetry {
  kNone,
  kMirrorX,      ///< left and right
  kMirrorY,      ///< top and bottom
  kBoth,         ///< mirror x and y
  kHalfTurn,     ///< rotated by 180 degrees
  kQuarterTurns  ///< rotated by 90, 180 and 270 degrees; requires a square grid
};
inline constexpr auto kBrushSymmetries = kAllOf<BrushSymmetry::kQuarterTurns>;
/// "none", "mirror x", "mirror y", "mirror x and y", "rotate 180°", "rotate 90°".
const char* name_of(BrushSymmetry symmetry);

/// A fractal that is being edited: the positions of its replicas, and how they are turned. It may be invalid.
/// Positions outside the grid are kept for a larger grid. If its levels have generators of their own, the
/// grid is that of the selected level.
struct GeneratorDraft {
  std::string name = "my fractal";
  std::uint32_t s_x = 3;  ///< 1 to kMaxScale, as s_y
  std::uint32_t s_y = 3;
  std::array<std::uint8_t, kMaxScale> rows = {};                ///< bit x of row y
  std::array<loom::Symmetry, kMaxScale* kMaxScale> turns = {};  ///< at [y * kMaxScale + x]
  /// Grids of the levels above and below, from the coarsest down; names and lists of these are not used.
  std::vector<GeneratorDraft> coarser = {};
  std::vector<GeneratorDraft> finer = {};
  bool repeats = true;  ///< whether the list of levels repeats

  bool at(std::uint32_t x, std::uint32_t y) const { return (rows[y] >> x & 1u) != 0; }
  void set(std::uint32_t x, std::uint32_t y, bool on);
  loom::Symmetry turn(std::uint32_t x, std::uint32_t y) const { return turns[y * kMaxScale + x]; }
  std::size_t levels() const { return coarser.size() + 1 + finer.size(); }
  /// The grid of level `i` of the list, 0 the coarsest.
  const GeneratorDraft& level(std::size_t i) const;
  /// Whether a replica in the grid is turned.
  bool is_turned() const;
  /// Number of replicas in the grid.
  std::uint32_t replicas() const;
  /// Positions of the replicas in the grid, row by row.
  std::vector<Coord32> offsets() const;
  friend bool operator==(const GeneratorDraft&, const GeneratorDraft&) = default;
};

GeneratorDraft draft_of(const NbbFractal& fractal);
/// Why the draft is not a valid fractal, and what is needed; empty if it is valid. A draft with the name of a
/// built-in fractal must equal that fractal.
std::string problem_of(const GeneratorDraft& draft);
/// The fractal, with its replicas numbered row by row; nothing if the draft is invalid.
std::optional<NbbFractal> fractal_of(const GeneratorDraft& draft);
/// Size and cells of a level of a draft.
struct DraftSize {
  double width = 1;
  double height = 1;
  double cells = 1;
};
DraftSize size_of(const GeneratorDraft& draft, int level);
/// A hint about a valid draft; empty if there is none.
std::string advice_on(const GeneratorDraft& draft);

/// The position and its images under the symmetry, each once.
std::vector<Coord32> stroke(const GeneratorDraft& draft, Coord32 place, BrushSymmetry symmetry);
/// Sets or clears a position and its images under the symmetry. Renames a draft that no longer equals the
/// built-in fractal of its name.
void paint(GeneratorDraft& draft, Coord32 place, bool on, BrushSymmetry symmetry);
/// Changes the size of the grid. Renames the draft like paint().
void resize(GeneratorDraft& draft, std::uint32_t s_x, std::uint32_t s_y);
/// Turns a replica further. Renames the draft like paint().
void turn(GeneratorDraft& draft, Coord32 place, loom::Symmetry by);

/// Whether two drafts have the same generators, whichever level is selected.
bool has_same_levels(const GeneratorDraft& a, const GeneratorDraft& b);
/// Gives the selected level the generator of a fractal.
void set_generator(GeneratorDraft& draft, const NbbFractal& fractal);
/// Selects level `i` of the list for editing.
void select_level(GeneratorDraft& draft, std::size_t i);
/// Adds a copy of the selected level below it and selects it, up to kMaxDraftLevels; renames the draft.
void add_level(GeneratorDraft& draft);
/// Removes the selected level, unless it is the only one.
void remove_level(GeneratorDraft& draft);
/// Moves the selected level to place `i` of the list.
void move_level(GeneratorDraft& draft, std::size_t i);
inline constexpr std::size_t kMaxDraftLevels = 12;

/// Fills the grid at random, symmetrically, with at least 2 replicas and, if possible, a hole. The same seed
/// gives the same result.
void fill_randomly(GeneratorDraft& draft, BrushSymmetry symmetry, std::uint64_t seed);

/// The fraction, 0 to 1, of each pixel of a width x height image that a level of a draft covers; rows from
/// the top. These are areas, not samples: a part of the fractal within a pixel counts by its fraction of
/// cells. The grid is stretched to the image, or with `square_points` drawn as large as it fits with square
/// points. The time depends on the number of pixels, not on the level.
std::vector<float> level_coverage(const GeneratorDraft& draft, int level, int width, int height,
                                  bool square_points);

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
