#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/window/save_figure.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panes/content_pane.h"
#include "app/workspaces/life/panes/pane.h"

namespace loom::app {

/// Whether a pane and the scene had the same cells when both were last counted.
struct PaneAgreement {
  bool known = false;                  ///< both were counted at the same generation
  CountedCensus scene;                 ///< the scene's count at that time
  bool equal = false;                  ///< by population and state hash
  std::optional<std::uint64_t> count;  ///< number of cells that differ; only for small fields
  std::optional<Coord64> first;        ///< first differing cell in canonical order
};

/// The secondary panes. Panes with cells run the same cells by other methods: they start as copies of the
/// active pane and repeat its edits and generations at the same time. A pane that cannot be built shows the
/// reason, and the others continue. The other panes visualize the method of the active pane and have no
/// engine.
class SecondaryPanes {
 public:
  struct SecondaryPane {
    PaneSpec spec;
    std::optional<BackendSelection> backend;  ///< backend of the pane if it overrides that of the active pane
    LifeFrameRequest request;
    std::unique_ptr<Pane> pane;            ///< for cells, once it was built
    std::unique_ptr<ContentPane> content;  ///< for other contents
    std::string problem;                   ///< why the pane does not run; empty if it does
    bool in_sync = false;                  ///< has the scene's cells and generation
    std::optional<CountedCensus> census;
    PaneAgreement agreement;
    ThreadExplanation explanation;       ///< the thread of this pane's launch for the selected point
    std::optional<FractalConfig> tried;  ///< the last configuration whose build was attempted
    bool build_cancelled = false;        ///< the user cancelled the build
    bool compared = false;               ///< the current census was compared with that of the active pane
  };

  explicit SecondaryPanes(const ShellServices& services) : services_(services) {}

  /// Sets the panes, in the order of their requests.
  void request(const std::vector<PaneSpec>& specs);
  std::vector<SecondaryPane>& all() { return panes_; }
  /// Number of panes with cells.
  std::size_t cell_pane_count() const {
    return static_cast<std::size_t>(std::ranges::count(
        panes_, PaneContent::kCells, [](const SecondaryPane& one) { return one.spec.shows; }));
  }
  const std::vector<SecondaryPane>& all() const { return panes_; }

  /// Sets the areas; the first one is that of the active pane.
  void place(const std::vector<PaneArea>& areas, float scale);
  /// Draws the panes that are windows.
  void show_contents(const PaneSubject& subject, PaneResponse& response);
  bool shows_threads_or_memory() const {
    return any([](const SecondaryPane& one) {
      return one.spec.shows == PaneContent::kThreads || one.spec.shows == PaneContent::kMemory;
    });
  }
  /// True if the scene's next request should record a timeline.
  bool needs_timeline() const { return any_content(&ContentPane::requests_timeline); }
  /// The recorded assignment of tiles to workers for `now`; null if no pane recorded it.
  std::shared_ptr<const explain::ThreadBlockWorkers> workers(const RecordedMethod& now) const;
  void take_timeline(const RecordedMethod& method, const LifeFrameResult& result);

  /// True while a pane works in the background; the active pane must not advance then.
  bool busy() const {
    return any([](const SecondaryPane& one) { return one.pane && one.pane->async_engine.busy(); });
  }
  /// True while a pane measures, so that no generation may run.
  bool pauses_scene() const { return any_content(&ContentPane::pauses_scene); }
  /// True while an animation plays.
  bool is_animating() const { return any_content(&ContentPane::is_animating); }
  /// Starts to build the panes that do not match their requests or are out of step, one after another, from
  /// the active pane's engine, which must be idle while busy().
  void follow(const AsyncEngine<LifeEngine>& scene, FrameClock& clock);
  /// Starts the edits and generations of the active pane in each pane, and requests their images. Work on
  /// devices starts first, each after the previous one, the first one after `after` (FrameRequest::after),
  /// and continues after this call returns; finish() takes its result.
  void begin(const LifeFrameRequest& scene, const FractalEngine* after, FrameClock& clock);
  /// Drops images that are not displayed yet, because the view has changed.
  void drop_images();
  /// Takes the results that are ready, waiting at most `timeout` for each.
  void finish(TaskTimeout timeout, FrameClock& clock);
  /// Compares the panes' counts with the scene's.
  void compare(const AsyncEngine<LifeEngine>& scene, const std::optional<CountedCensus>& counted);
  /// Call after a change of the scene that begin() did not pass on, such as a cancelled request.
  void mark_out_of_sync() {
    for (SecondaryPane& one : panes_) one.in_sync = false;
  }
  /// Cancels running work in favour of other work; it is started again afterwards.
  void yield_background_work();
  /// Cancels running work on behalf of the user: panes that are being built are not built again until
  /// their method or the field changes.
  void cancel();
  Progress progress() const;

 private:
  template <typename Is>
  bool any(const Is& is) const {
    return std::ranges::any_of(panes_, is);
  }
  bool any_content(bool (ContentPane::*is)() const) const {
    return any([is](const SecondaryPane& one) { return one.content && (*one.content.*is)(); });
  }
  static void set_kind(SecondaryPane& one);
  BackendSelection backend_of(SecondaryPane& one, const BackendSelection& scene) const;
  void build(SecondaryPane& one, const AsyncEngine<LifeEngine>& scene, FrameClock& clock);
  const std::vector<Device>& devices_of(const BackendSelection& first) const;
  static void begin(SecondaryPane& one, const LifeFrameRequest& scene, const FractalEngine* after);
  static void take(SecondaryPane& one, const LifeFrameOutcome* outcome, FrameClock& clock);

  const ShellServices& services_;
  std::vector<Device> no_devices_;
  std::vector<SecondaryPane> panes_;
};

/// "λ, ρ 16, table": the method of a pane; with "emulated" if the backend emulates it, and "2 GPUs" or "2
/// devices" for several devices.
Text words_of(const FractalConfig& config, const Device& device, std::size_t devices = 1);

/// Input of the exported figures.
struct FigureScene {
  const Pane& scene;
  const SecondaryPanes& secondary_panes;
  const ThreadExplanation& explanation;  ///< the selected point's thread in the scene's launch
  const explain::Colouring& colouring;
  int neighbour = 4;
};

/// One source for the active pane and one per secondary pane, in this order.
std::vector<FigureSource> figure_sources(const FigureScene& scene);

/// Copies everything that the figure of a source needs. The engines must be idle. Throws InputError for a
/// field with more cells than can be copied within a frame.
FigureJob figure_job(const FigureScene& scene, std::size_t source);

}  // namespace loom::app
