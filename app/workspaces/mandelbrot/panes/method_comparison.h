#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/widgets/pane_layout.h"
#include "app/workspaces/mandelbrot/panes/method_pane.h"
#include "app/workspaces/mandelbrot/panes/method_score.h"

namespace loom::app {

/// Compares the three methods at the same view. The active method is computed by the workspace, the others by
/// panes of this class. Only one engine works at a time, so that times are comparable: first every method
/// computes a coarse picture, then one after the other refines and times its own.
class MethodComparison {
 public:
  explicit MethodComparison(const ShellServices& services) : services_(services) {}

  /// Selects the active method; the pane of that method then computes the previous one.
  void set_active(MandelbrotMethod method);
  /// The pane of a method; null for the active one.
  MethodPane* pane(MandelbrotMethod method) { return panes_[index_of(method)].get(); }
  static std::size_t index_of(MandelbrotMethod method) { return static_cast<std::size_t>(method); }

  bool busy() const;
  /// Whether a pane has no picture of this request yet.
  bool is_behind(const DwellRequest& active) const;
  /// Whether all pictures are complete and timed.
  bool is_done(const DwellRequest& active) const;
  bool is_sampling() const;
  /// Continues with one pane. Throws DeviceFault.
  void advance(const DwellRequest& active, const BackendSelection& backend, TaskTimeout timeout);
  void add_times(FrameClock& clock) {
    each_pane([&](MandelbrotMethod, MethodPane& pane) { pane.add_times(clock); });
  }
  void follow_samples(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture,
                      bool may_begin);
  void cancel();
  /// The picture of the active method changed.
  void active_changed() { differences_ = {}; }
  /// Counts the dwells that differ from those of the exhaustive method, once all three pictures are complete.
  void compare(const DwellRunner& active, const DwellRequest& request);
  /// The differences of a method; empty while not counted.
  const std::optional<DwellDifferences>& differences(MandelbrotMethod method) const {
    return differences_[index_of(method)];
  }
  MethodScores scores(const DwellRunner& active) const;
  /// Median time of the pane of the exhaustive method, for the picture of `active`; empty without one.
  std::optional<double> exhaustive_ms(const DwellRequest& active) const;
  Progress progress() const;

 private:
  /// Calls use(method, pane) for each pane.
  template <typename Use>
  void each_pane(const Use& use) const {
    for (const MandelbrotMethod method : kMandelbrotMethods) {
      if (panes_[index_of(method)]) use(method, *panes_[index_of(method)]);
    }
  }
  const ShellServices& services_;
  std::optional<MandelbrotMethod> active_;
  std::array<std::unique_ptr<MethodPane>, kMandelbrotMethods.size()> panes_;
  std::array<std::optional<DwellDifferences>, kMandelbrotMethods.size()> differences_;
};

}  // namespace loom::app
