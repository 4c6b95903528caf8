#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/image/image.h"
#include "app/files/json_reader.h"
#include "app/palette/custom_palettes.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_config.h"

namespace loom::app::scene {

using Json = nlohmann::ordered_json;

/// Most devices that a state may name, more than any real machine has. A scene opens on those that are there.
inline constexpr int kMaxDevices = 1024;

/// Throws if memory is not sufficient for the cells of a configuration. Called before cells are unpacked.
using CapacityCheck = std::function<void(const FractalConfig&)>;

/// Output of a state in addition to its JSON.
struct WriteContext {
  std::string& packed;  ///< what a file holds in binary form after the JSON; at most one state writes there
  ProgressMonitor* watch = nullptr;
};

/// Input of a reader in addition to the JSON.
struct ReadContext {
  std::string_view packed;  ///< what follows the JSON
  const CapacityCheck& check;
  ProgressMonitor* watch = nullptr;
};

/// How a state is drawn without a window.
struct RenderRequest {
  glm::ivec2 size{0};
  BackendSelection backend = {};
  std::string palette;                      ///< the scene's palette
  CustomPalettes custom_palettes = {};      ///< of the scene
  bool coloured = false;                    ///< with the colours of threads or tiles, if the state has them
  std::uint32_t generations_per_frame = 1;  ///< of a video of cells
  std::vector<Json> keyframes = {};         ///< places that a video flies through; empty: the state's view
  /// Width and height of the picture on screen, all of which a wider image shows; 0: not known.
  glm::dvec2 on_screen{0};
};

/// Draws a state with engines of its own, independently of the window.
class StateRenderer {
 public:
  virtual ~StateRenderer() = default;
  /// The picture without overlays.
  virtual image::ImageRows& rows() = 0;
  /// Changes rows() to a frame of a video of `frames` frames. Call with 0, 1, 2, ... Throws
  /// OperationCancelled.
  virtual void show_frame(int frame, int frames, ProgressMonitor* watch) = 0;
};

/// What one workspace stores in a scene: its settings, view and data. States never change after they were
/// handed out; background tasks share them.
class WorkspaceState {
 public:
  virtual ~WorkspaceState() = default;
  /// Throws OperationCancelled, std::bad_alloc.
  virtual Json to_json(const WriteContext& context) const = 0;
  /// "sierpinski-gasket, level 9, generation 431"
  virtual std::string description() const = 0;
  /// A file name without ending: "sierpinski-gasket-level-9".
  virtual std::string file_stem() const = 0;
  /// Names overlays that are part of the picture on screen, but not of rows(); empty if there are none.
  virtual std::string overlays_left_out() const { return {}; }
  /// The keyframes of a video that flies from the whole to the view of this state, in pictures of this size;
  /// empty if a video shows generations instead.
  virtual std::vector<Json> flight(glm::ivec2) const { return {}; }
  /// Whether a video of generations without keyframes turns the picture around once.
  virtual bool has_turntable() const { return false; }
  /// Throws InputError, CapacityError, MachineError, OperationCancelled.
  virtual std::unique_ptr<StateRenderer> renderer(const RenderRequest& request,
                                                  ProgressMonitor* watch = nullptr) const = 0;
};
using StatePtr = std::shared_ptr<const WorkspaceState>;

/// Reads what a workspace stores in files. Readers throw InputError with the fault.
struct WorkspaceFormat {
  /// The member of the scene that holds the state, and the name on the command line: "life".
  std::string_view id;
  StatePtr (*default_state)();
  /// Throws what `context.check` throws, OperationCancelled, std::bad_alloc.
  StatePtr (*read)(const JsonReader& json, const ReadContext& context);
  /// The place that a bookmark stores: a view, and what it is a view of. Returns the members, checked.
  Json (*read_place)(const JsonReader& json);
  /// "sierpinski-gasket, level 9, region"
  std::string (*describe_place)(const Json& place);
};
/// The format of a state by its static members, which have the names of those of WorkspaceFormat.
template <typename State>
inline constexpr WorkspaceFormat kFormatOf = {State::kId,
                                              []() -> StatePtr { return std::make_shared<State>(); },
                                              State::read, State::read_place, State::describe_place};
/// The formats of a program, in the order of its workspaces.
using Formats = std::span<const WorkspaceFormat>;

/// Throws InputError for an unknown id.
const WorkspaceFormat& find_format(Formats formats, std::string_view id);

}  // namespace loom::app::scene
