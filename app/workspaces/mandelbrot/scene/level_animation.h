#pragma once

#include <optional>

namespace loom::app {

/// Which levels of the subdivision are drawn: all, or those up to one level, stepped manually or played.
class LevelAnimation {
 public:
  static constexpr double kSecondsPerLevel = 0.9;

  /// Plays from the first level on, or stops playing.
  void toggle_playing();
  /// One level more (+) or fewer (-); stops playing.
  void step(int direction);
  void show_all();
  /// `seconds` is a clock. After the last level it starts over.
  void update(double seconds, int levels);

  std::optional<int> shown() const { return shown_; }
  bool playing() const { return playing_; }

 private:
  std::optional<int> shown_;
  bool playing_ = false;
  std::optional<double> since_;  ///< time when the current level was first shown
  int levels_ = 0;
};

}  // namespace loom::app
