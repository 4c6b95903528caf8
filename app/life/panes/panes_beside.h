#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/life/panes/lens_pane.h"
#include "app/life/panes/pane.h"
#include "app/life/panes/space_pane.h"
#include "app/life/panes/steps_pane.h"
#include "app/life/panes/timeline_pane.h"
#include "app/life/panes/unfold_pane.h"
#include "app/life/scene/explained.h"
#include "app/life/scene/life_settings.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"

namespace loom::app {

/// Where a pane is: a line that says what it runs, and its picture.
struct PanePlace {
  Area header;
  Area picture;
};

/// Whether a pane had the cells of the scene when both were last counted.
struct PaneAgreement {
  bool known = false;                  ///< both were counted at the same generation
  CountedCensus scene;                 ///< the scene's count then
  bool equal = false;                  ///< by population and state hash
  std::optional<std::uint64_t> count;  ///< cells that differ, where the field is small enough to look at each
  std::optional<Coord64> first;        ///< the first of them, in canonical order
};

/// The panes beside the scene. Those of cells have the same cells under other methods: they do what the scene
/// does, at the same time, and begin as copies of it. One that cannot be built says why, and the others go
/// on. The others look at the scene's method and have no engine.
class PanesBeside {
 public:
  struct One {
    PaneWish wish;
    std::optional<BackendSelection> backend;  ///< of the wish, where it has its own
    LifeJob job;
    std::unique_ptr<Pane> pane;        ///< of cells; and of the others:
    std::unique_ptr<SpacePane> space;  ///< threads, memory
    std::unique_ptr<StepsPane> steps;
    std::unique_ptr<UnfoldPane> unfold;
    std::unique_ptr<TimelinePane> timeline;
    std::unique_ptr<LensPane> lens;
    std::string problem;   ///< why it does not run; empty where it does
    bool in_step = false;  ///< has the scene's cells and generation
    std::optional<CountedCensus> census;
    PaneAgreement agreement;
    Explained explained;                 ///< the thread of this pane's launch for the selected point
    std::optional<FractalConfig> tried;  ///< the last that was to be built
    bool given_up = false;               ///< the user has ended its build
    bool compared = false;               ///< the census of now, with the scene's
  };

  explicit PanesBeside(const ShellServices& services) : services_(services) {}

  /// As many panes as wishes, in their order.
  void want(const std::vector<PaneWish>& wishes);
  std::vector<One>& all() { return panes_; }
  /// How many have cells of their own.
  std::size_t with_cells() const;
  const std::vector<One>& all() const { return panes_; }

  /// Where they are; the first place is the scene's.
  void place(const std::vector<PanePlace>& places, float scale);
  /// What the panes that explain are about.
  struct Subject {
    const std::vector<PanePlace>& places;
    const FractalConfig& config;
    const std::string& backend_name;
    const teach::Colouring& colouring;
    const Explained& explained;
    const DeviceRecord* devices;  ///< null where the scene has one device
    bool several_devices;
  };
  /// Draws those without a picture of their own: steps, unfolding, timeline, lens. Returns the square of the
  /// step that the cursor is on. `record_devices`: the user asked for that.
  std::optional<teach::CellSquare> show_explaining(const Subject& subject, int& neighbour,
                                                   bool& record_devices);
  bool shows_threads_or_memory() const;
  /// Whether the scene's next job is to record a timeline; and what came of it.
  bool wants_timeline() const;
  /// What ran where in a launch of `now` that one of them recorded; null where none did.
  std::shared_ptr<const teach::BlockWorkers> workers(const TimelinePane::Subject& now) const;
  void take_timeline(const TimelinePane::Subject& subject, const LifeDone& done);

  /// Whether one works beside the frames: the scene must not go on then.
  bool busy() const;
  /// Whether one of them plays.
  bool moves() const;
  /// Begins to build what is not as wished, or has fallen out of step, from the scene's engine, which must
  /// rest while busy(): one after the other.
  void follow(const EngineHost& scene, FrameClock& clock);
  /// Has each begin what the scene does, its edits and generations, and asks for its picture. What a device
  /// does is begun first, each after the one before, and goes on when this returns; finish() takes it.
  void begin(const LifeJob& scene, EngineHost::Turn turn, FrameClock& clock);
  /// Their images, which are not shown yet, are of another view than that of now.
  void drop_images();
  /// Takes what has ended, waiting at most so long for each.
  void finish(std::chrono::duration<double, std::milli> most, FrameClock& clock);
  /// Compares with the scene's count.
  void compare(const EngineHost& scene, const std::optional<CountedCensus>& counted);
  /// The scene was changed otherwise: by a cancelled call.
  void out_of_step();
  /// Ends what goes on, for something else; it is begun anew after that.
  void make_way();
  /// The user ends what goes on: what is being built is given up.
  void cancel();
  Progress progress() const;

 private:
  static void set_kind(One& one);
  void build(One& one, const EngineHost& scene, FrameClock& clock);
  const std::vector<int>& devices_of(const BackendSelection& first) const;
  void begin(One& one, const LifeJob& scene, const EngineHost::Turn& turn);
  void take(One& one, LifeDone done, FrameClock& clock);

  const ShellServices& services_;
  std::vector<int> no_others_;
  std::vector<One> panes_;
};

/// "λ, ρ 16, table": what a pane runs, in a few words; "emulated" where the backend lacks what computes it,
/// "2 GPUs" where so many share its cells.
Text words_of(const FractalConfig& config, BackendKind backend, std::size_t devices = 1);

}  // namespace loom::app
