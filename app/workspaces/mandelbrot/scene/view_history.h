#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <vector>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// The last `kMaxViews` views and the current one. A view of the whole set is marked as fitted and follows
/// the size of the picture.
class ViewHistory {
 public:
  static constexpr std::size_t kMaxViews = 1000;

  struct Entry {
    ComplexView view;
    bool fitted = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Starts with the whole set, in a picture of one pixel until resize().
  ViewHistory() : views_{{default_view({1, 1}), true}} {}
  explicit ViewHistory(const ComplexView& first) : views_{{first, false}} {}

  const ComplexView& present() const { return views_[at_].view; }
  bool fitted() const { return views_[at_].fitted; }
  const Entry& entry() const { return views_[at_]; }
  /// Adds a view after the current one and drops the following ones. With `same_gesture` it replaces the
  /// current view, so that a drag or a turn of the wheel is one step.
  void go(const ComplexView& view, bool same_gesture = false);
  /// Replaces the current view, which cannot be shown, by one that was shown before it.
  void replace_present(const ComplexView& view);
  /// Adds a view of the whole set in a picture of this size.
  void fit(glm::ivec2 picture);
  /// Sets the size of the picture.
  void resize(glm::ivec2 picture);
  /// Goes back; returns false if there is no previous view.
  bool back();
  bool forward();
  std::size_t views_behind() const { return at_; }
  std::size_t views_ahead() const { return views_.size() - 1 - at_; }

 private:
  void go_to(const Entry& entry, bool same_gesture);

  std::vector<Entry> views_;
  std::size_t at_ = 0;
};

}  // namespace loom::app
