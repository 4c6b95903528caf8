#pragma once

#include <cstddef>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// The views that were looked at, the last `kKept` of them; one is the present one. A view is fitted where it
/// is that of all of the set: it follows the picture's size.
class ViewHistory {
 public:
  static constexpr std::size_t kKept = 1000;

  struct Entry {
    ComplexView view;
    bool fitted = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Begins with all of the set, in a picture of one pixel until resize().
  ViewHistory() : views_{{default_view({1, 1}), true}} {}
  explicit ViewHistory(const ComplexView& first) : views_{{first, false}} {}

  const ComplexView& present() const { return views_[at_].view; }
  bool fitted() const { return views_[at_].fitted; }
  const Entry& entry() const { return views_[at_]; }
  /// A new view after the present one; those that came after it are forgotten. With `same_gesture` it takes
  /// the place of the present view, so that a drag or a turn of the wheel is one step back.
  void go(const ComplexView& view, bool same_gesture = false);
  /// A new view after the present one: all of the set, in a picture of this size.
  void fit(render::Extent picture);
  /// The picture has this size from now on.
  void resize(render::Extent picture);
  /// False where there is none.
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
