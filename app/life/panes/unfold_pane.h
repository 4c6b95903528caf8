#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/life/scene/explained.h"
#include "app/teach/colour_by.h"
#include "app/teach/data_colour.h"
#include "app/teach/unfolding.h"
#include "app/text/text.h"

namespace loom::app {

/// A pane in which the blocks fly from their place in the launch to their place in the fractal, a level of
/// lambda at a time, and back.
class UnfoldPane {
 public:
  /// Draws it as a window at `area`; `explained` names the block to mark. Colours by block where the
  /// colouring is by state.
  void show(const char* id, const Area& area, const FractalConfig& config, const teach::Colouring& colouring,
            const Explained& explained);
  /// Where the button that plays is on the screen; empty where there is nothing to play.
  const Area& button() const { return button_; }
  bool moves() const { return direction_ != 0; }
  /// From 0, the launch, to 1, the fractal.
  float share() const { return stages() > 0 ? stage_ / static_cast<float>(stages()) : 1; }

 private:
  int stages() const { return unfolding_ ? unfolding_->stages() : 0; }
  void follow(const FractalConfig& config, const teach::Colouring& colouring);
  void fly();
  Text sentence() const;
  /// Which part of the launch is unfolded, where it is not all.
  Text part_words() const;
  void draw_blocks(const Explained& explained) const;

  std::optional<teach::ThreadSpace> threads_;
  std::optional<teach::Unfolding> unfolding_;
  teach::Colouring colouring_;
  std::vector<teach::DataColour> colours_;  ///< of blocks
  Area button_;
  float stage_ = 0;    ///< 0 to stages(); between two of them blocks are under way
  int direction_ = 0;  ///< +1 while it plays lambda, -1 nu, 0 at rest
};

}  // namespace loom::app
