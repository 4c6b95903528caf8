#pragma once

#include <optional>

namespace loom::app {

/// Which levels of the subdivision are drawn: all, or those up to one, by hand or one after another.
class LevelSteps {
 public:
  static constexpr double kSecondsPerLevel = 0.9;

  /// From the first level on; stops where it plays.
  void play_or_stop();
  /// One more (+) or fewer (-), and no more playing.
  void step(int direction);
  void show_all();
  /// `seconds` is a clock; after the last level has been shown it begins anew.
  void update(double seconds, int levels);

  std::optional<int> shown() const { return shown_; }
  bool playing() const { return playing_; }

 private:
  std::optional<int> shown_;
  bool playing_ = false;
  std::optional<double> since_;  ///< when the present level came
  int levels_ = 0;
};

}  // namespace loom::app
