#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// What else a stroke of the brush draws.
enum class Symmetry {
  kNone,
  kMirrorX,      ///< left and right
  kMirrorY,      ///< top and bottom
  kBoth,         ///< mirror x and y
  kHalfTurn,     ///< turned by 180 degrees
  kQuarterTurns  ///< turned by 90, 180 and 270 degrees; where the box is square
};
inline constexpr std::array kSymmetries = {Symmetry::kNone, Symmetry::kMirrorX,  Symmetry::kMirrorY,
                                           Symmetry::kBoth, Symmetry::kHalfTurn, Symmetry::kQuarterTurns};
/// "none", "mirror x", "mirror y", "both", "half turn", "quarter turns".
const char* name_of(Symmetry symmetry);

/// A fractal that is being drawn: where its replicas are, which may be no fractal yet. What lies outside the
/// box stays, for a larger box.
struct GeneratorDraft {
  std::string name = "my fractal";
  std::uint32_t s_x = 3;  ///< 1 to kMaxScale, as s_y
  std::uint32_t s_y = 3;
  std::array<std::uint8_t, kMaxScale> rows = {};  ///< bit x of row y

  bool at(std::uint32_t x, std::uint32_t y) const { return (rows[y] >> x & 1u) != 0; }
  void set(std::uint32_t x, std::uint32_t y, bool on);
  /// Those in the box.
  std::uint32_t replicas() const;
  /// In the box, row by row.
  std::vector<Coord32> offsets() const;
  friend bool operator==(const GeneratorDraft&, const GeneratorDraft&) = default;
};

GeneratorDraft draft_of(const NbbFractal& fractal);
/// Why the draft is not a valid fractal, and what is needed; empty if it is valid. A draft with the name of a
/// built-in fractal must equal that fractal.
std::string problem_of(const GeneratorDraft& draft);
/// The fractal, its replicas numbered row by row; nothing where there is a problem.
std::optional<NbbFractal> fractal_of(const GeneratorDraft& draft);
/// What a person who draws may want to know of a draft without a problem; empty where nothing is remarkable.
std::string advice_on(const GeneratorDraft& draft);

/// The place and those that go with it, each once.
std::vector<Coord32> stroke(const GeneratorDraft& draft, Coord32 place, Symmetry symmetry);
/// Switches a place, and those that go with it, on or off. One that has the catalogue's name is called
/// otherwise from then on.
void paint(GeneratorDraft& draft, Coord32 place, bool on, Symmetry symmetry);
/// Another box. Of the catalogue's name as paint().
void resize(GeneratorDraft& draft, std::uint32_t s_x, std::uint32_t s_y);
/// The box filled by chance, symmetrically, with 2 replicas at least and a hole where that can be; the same
/// for the same seed.
void fill_randomly(GeneratorDraft& draft, Symmetry symmetry, std::uint64_t seed);

/// The drafts of before, and those that were undone.
class DraftHistory {
 public:
  static constexpr std::size_t kMaxDrafts = 200;
  /// Adds an undo step if `after` differs from `before`, and clears the redo steps.
  void note(const GeneratorDraft& before, const GeneratorDraft& after);
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo(GeneratorDraft& draft);
  void redo(GeneratorDraft& draft);

 private:
  std::vector<GeneratorDraft> undo_;
  std::vector<GeneratorDraft> redo_;
};

}  // namespace loom::app
