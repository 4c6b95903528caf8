#include "app/shell/shortcuts.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "app/document/bookmarks/window/bookmark_manager.h"
#include "app/document/scene/window/scene_files.h"
#include "app/lessons/window/lesson_strip.h"
#include "app/shell/application.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "compute/map/map_method.h"

namespace loom::app {
namespace {

constexpr std::array kWorkspaces = {"Life", "Mandelbrot"};

/// The settings and commands of the workspaces and of the shell.
struct Edit {
  LifeSettings settings = default_life_settings();
  LifeCommands commands = {};
  MandelbrotSettings mandelbrot = {};
  MandelbrotCommands mandelbrot_commands = {};
  ShellEdit shell = {};
};

/// Dispatches keys as the shell does: first to the visible workspace, then to the shell's own table.
Edit after(const std::vector<KeyPress>& presses, Edit edit = {}) {
  static const auto shell = shell_shortcuts(kWorkspaces);
  static const auto life = life_shortcuts();
  static const auto mandelbrot = mandelbrot_shortcuts();
  for (const KeyPress& press : presses) {
    bool taken = false;
    if (edit.shell.settings.workspace == 0) {
      LifeEdit own{edit.settings, edit.commands, edit.shell};
      taken = life.press(press, own);
      edit.settings = own.settings;
      edit.commands = own.commands;
    } else {
      MandelbrotEdit own{edit.mandelbrot, edit.mandelbrot_commands, edit.shell};
      taken = mandelbrot.press(press, own);
      edit.mandelbrot = own.settings;
      edit.mandelbrot_commands = own.commands;
    }
    if (!taken) shell.press(press, edit.shell);
  }
  return edit;
}

KeyPress key(int code) {
  return {.key = code};
}
KeyPress character(unsigned sign) {
  return {.character = sign};
}
KeyPress shift(int code) {
  return {.key = code, .shift = true};
}
KeyPress ctrl(int code) {
  return {.key = code, .ctrl = true};
}

TEST(Shortcuts, DigitsSwitchTheMap) {
  EXPECT_EQ(after({key('1')}).settings.config.method.map, MapKind::kBoundingBox);
  EXPECT_EQ(after({key('3')}).settings.config.method.map, MapKind::kCompact);
  EXPECT_EQ(after({key('3'), key('2')}).settings.config.method.map, MapKind::kLambda);
}

// A slow frame holds several keys, and the view is fitted before it is zoomed.
TEST(Shortcuts, FitEndsTheZoomAndPanBeforeItAndKeepsThoseAfterIt) {
  const ViewCommands before = after({character('+'), key(GLFW_KEY_RIGHT), key('b'), key('f')}).shell.view;
  EXPECT_TRUE(before.fit);
  EXPECT_TRUE(before.arm_box_zoom);
  EXPECT_EQ(before.zoom, 0);
  EXPECT_EQ(before.pan.x, 0);
  const ViewCommands behind = after({key('f'), character('+')}).shell.view;
  EXPECT_TRUE(behind.fit);
  EXPECT_EQ(behind.zoom, 1);
}

TEST(Shortcuts, AnotherMapKeepsTheArithmeticWhereItHasIt) {
  Edit edit;
  edit.settings.config.method.arithmetic = MapArithmetic::kShuffle;
  EXPECT_EQ(after({key('3')}, edit).settings.config.method.arithmetic, MapArithmetic::kShuffle);
  EXPECT_EQ(after({key('1'), key('2')}, edit).settings.config.method.arithmetic, MapArithmetic::kShuffle);
  edit.settings.config.method.arithmetic = MapArithmetic::kTensor3;
  EXPECT_EQ(after({key('3')}, edit).settings.config.method.arithmetic, MapArithmetic::kTensor);
  EXPECT_EQ(after({key('3'), key('2')}, edit).settings.config.method.arithmetic, MapArithmetic::kTensor1);
}

TEST(Shortcuts, WhateverIsPressedTheMethodStaysValid) {
  Edit edit;
  edit.settings.config.method.arithmetic = MapArithmetic::kTensor2;
  edit.settings.config.method.intra_block = IntraBlock::kSubBox;
  EXPECT_EQ(after({character(']')}, edit).settings.config.method.arithmetic, MapArithmetic::kTensor1)
      << "four tiles of 32 x 32 exceed the threads of a thread block";
  edit = {};
  edit.settings.config.method.tiles = 3;
  for (const auto& presses :
       {std::vector<KeyPress>{key('1')}, std::vector<KeyPress>{character(']'), character(']')},
        std::vector<KeyPress>(9, character('<'))}) {
    const FractalConfig config = after(presses, edit).settings.config;
    EXPECT_NO_THROW(validate(config)) << config.method.tiles;
  }
}

TEST(Shortcuts, TheArithmeticKeyGoesRoundWhatIsValidAndExact) {
  Edit edit;
  const MapArithmetic first = edit.settings.config.method.arithmetic;
  std::vector<MapArithmetic> seen;
  do {
    edit = after({key('a')}, edit);
    seen.push_back(edit.settings.config.method.arithmetic);
    ASSERT_NO_THROW(validate(edit.settings.config));
    ASSERT_LE(seen.size(), kMapArithmetics.size());
  } while (seen.back() != first);
  EXPECT_EQ(seen.size(), arithmetics_of(MapKind::kLambda).size() - 1) << "all but tensor-fp16";
  EXPECT_EQ(std::count(seen.begin(), seen.end(), MapArithmetic::kTensorFp16), 0);
  edit.settings.config.method.map = MapKind::kBoundingBox;
  EXPECT_EQ(after({key('a')}, edit).settings.config.method.arithmetic, first)
      << "the bounding box map has no arithmetic to choose";
}

TEST(Shortcuts, WorkloadsAndMappingsGoRound) {
  EXPECT_EQ(after({key('w')}).settings.workload, Workload::kSingleWrite);
  EXPECT_EQ(after({key('w'), key('w'), key('w')}).settings.workload, Workload::kLife);
  const IntraBlock first = default_life_settings().config.method.intra_block;
  EXPECT_NE(after({key('i')}).settings.config.method.intra_block, first);
  EXPECT_EQ(after({key('i'), key('i'), key('i')}).settings.config.method.intra_block, first);
}

/// Every press that a keyboard can make: keys with the modifiers, and signs.
std::vector<KeyPress> all_presses() {
  std::vector<int> codes = {' '};
  for (int code = 'a'; code <= 'z'; ++code) codes.push_back(code);
  for (int code = '0'; code <= '9'; ++code) codes.push_back(code);
  for (const int code : {'=', '+', '-'}) codes.push_back(code);
  for (int code = GLFW_KEY_ESCAPE; code <= GLFW_KEY_F12; ++code) codes.push_back(code);
  codes.push_back(GLFW_KEY_KP_ENTER);
  std::vector<KeyPress> presses;
  for (const int code : codes) {
    for (const bool with_ctrl : {false, true}) {
      for (const bool with_shift : {false, true})
        presses.push_back({.key = code, .ctrl = with_ctrl, .shift = with_shift});
    }
  }
  for (unsigned sign = '!'; sign < 127; ++sign) {
    if (!std::isalpha(static_cast<int>(sign))) presses.push_back(character(sign));
  }
  return presses;
}

TEST(Shortcuts, AKeyMeansTheSameEverywhere) {
  const auto shell = shell_shortcuts(kWorkspaces);
  const auto life = life_shortcuts();
  const auto mandelbrot = mandelbrot_shortcuts();
  const auto solid = solid_shortcuts();
  const auto lesson = lessons::lesson_shortcuts();
  const auto scenes = scene::SceneFiles::shortcuts();
  const auto bookmark = bookmarks::BookmarkManager::shortcuts();
  std::size_t with_a_command = 0;
  for (const KeyPress& press : all_presses()) {
    std::vector<const Command*> commands;
    const auto add = [&](const auto& table) {
      if (const Command* const command = table.find(press)) commands.push_back(command);
    };
    add(shell);
    add(life);
    add(mandelbrot);
    add(solid);
    add(lesson);
    add(scenes);
    add(bookmark);
    with_a_command += !commands.empty();
    for (std::size_t i = 1; i < commands.size(); ++i) {
      EXPECT_TRUE(correspond(*commands[0], *commands[i]))
          << commands[i]->keys << ": " << commands[0]->meaning << "; " << commands[i]->meaning;
    }
    for (const Command* const command : commands) {
      EXPECT_TRUE(command->effect == Effect::kKeeps || press.ctrl || press.shift) << command->meaning;
    }
  }
  EXPECT_GT(with_a_command, 80u);
  for (const auto& table : {life.commands(), mandelbrot.commands(), solid.commands(), shell.commands()}) {
    for (const Command& command : table) {
      const std::string_view keys = command.keys;
      EXPECT_TRUE(command.effect == Effect::kKeeps || keys.starts_with("Ctrl") || keys.starts_with("Shift"));
    }
  }
}

TEST(Shortcuts, OneKeyIsOneAction) {
  // The shell's table must not use a key of a workspace: the workspace would always take it first.
  const auto shell = shell_shortcuts(kWorkspaces);
  const auto life = life_shortcuts();
  const auto mandelbrot = mandelbrot_shortcuts();
  for (int code = 'a'; code <= 'z'; ++code) {
    ShellEdit of_shell;
    if (!shell.press(key(code), of_shell)) continue;
    LifeEdit of_life{default_life_settings(), {}, of_shell};
    MandelbrotEdit of_mandelbrot{{}, {}, of_shell};
    EXPECT_FALSE(life.press(key(code), of_life)) << static_cast<char>(code);
    EXPECT_FALSE(mandelbrot.press(key(code), of_mandelbrot)) << static_cast<char>(code);
  }
  EXPECT_FALSE(shell.commands().empty());
}

// A key that does not apply reports the reason and changes nothing.
TEST(Shortcuts, KeysThatDoNotApplySayWhy) {
  const LifeSettings usual = default_life_settings();
  LifeSettings box = usual;
  set_map(box.config, MapKind::kBoundingBox);
  LifeSettings four_panes = usual;
  while (four_panes.secondary_panes.size() + 1 < kMaxPanes) pin_as_pane(four_panes);
  LifeSettings lowest = usual;
  set_level(lowest.config, 0);
  LifeSettings highest = usual;
  set_level(highest.config, highest.config.fractal.max_level());
  LifeSettings smallest = usual;
  smallest.config.tile_size = 1;
  LifeSettings largest = usual;
  largest.config.tile_size = 32;
  struct Row {
    const char* name;
    KeyPress press;
    LifeSettings settings;
    std::string_view why;
  };
  const std::array rows = {
      Row{"A", key('a'), box, "Press 2 for λ or 3 for compact"},
      Row{"I", key('i'), box, "Press 2 for λ or 3 for compact"},
      Row{"N", key('n'), four_panes, "There are four panes already"},
      Row{"D", key('d'), usual, "There is no second pane"},
      Row{"<", character('<'), lowest, "Level 0 is the lowest"},
      Row{">", character('>'), highest, "the highest level"},
      Row{"[", character('['), smallest, "no smaller tile size"},
      Row{"]", character(']'), largest, "No larger tile size"},
  };
  for (const Row& row : rows) {
    const Edit edit = after({row.press}, {.settings = row.settings});
    ASSERT_NE(edit.commands.problem, nullptr) << row.name;
    EXPECT_NE(std::string_view(edit.commands.problem).find(row.why), std::string_view::npos)
        << row.name << ": " << edit.commands.problem;
    EXPECT_EQ(edit.settings.config, row.settings.config) << row.name;
    EXPECT_EQ(edit.settings.secondary_panes, row.settings.secondary_panes) << row.name;
    if (row.press.key == 'd') continue;  // it applies where there are panes, and changes no setting
    EXPECT_EQ(after({row.press}).commands.problem, nullptr) << row.name << " applies elsewhere";
  }
}

TEST(Shortcuts, StepPausesAndCounts) {
  const Edit edit = after({character('.'), character('.')});
  EXPECT_FALSE(edit.settings.playing);
  EXPECT_EQ(edit.commands.step, 2u);
}

TEST(Shortcuts, ReseedTakesTheNextSeed) {
  const Edit edit = after({shift('r')});
  EXPECT_EQ(edit.settings.start.seed, default_life_settings().start.seed + 1);
  EXPECT_TRUE(edit.commands.restart);
}

TEST(Shortcuts, AChoiceHasACheckMark) {
  const Shortcuts<LifeEdit> keys = life_shortcuts();
  ShellEdit shell;
  const LifeEdit edit{default_life_settings(), {}, shell};
  for (std::size_t i = 0; i < keys.commands().size(); ++i) {
    const std::string_view label = keys.commands()[i].label;
    const bool on = label == "Lambda map" || (label == "Play or pause" && edit.settings.playing);
    EXPECT_EQ(keys.checked(i, edit), on) << label;
  }
}

TEST(Shortcuts, WhatDestroysCellsNeedsShiftOrCtrl) {
  const Edit plain = after({key('r'), key('c'), key(GLFW_KEY_BACKSPACE)});
  EXPECT_FALSE(plain.commands.restart || plain.commands.clear);
  EXPECT_TRUE(after({ctrl(GLFW_KEY_BACKSPACE)}).commands.clear);
}

TEST(Shortcuts, TileSizeStaysWithinWhatIsAllowed) {
  std::vector<KeyPress> many(20, character(']'));
  EXPECT_EQ(after(many).settings.config.tile_size, 32u);
  many.assign(20, character('['));
  EXPECT_EQ(after(many).settings.config.tile_size, 1u);
}

TEST(Shortcuts, LevelStaysWithinWhatIsAllowedAndTheTileSizeFollows) {
  const Edit low = after(std::vector<KeyPress>(20, character('<')));
  EXPECT_EQ(low.settings.config.level, 0);
  EXPECT_EQ(low.settings.config.tile_size, 1u);
  const Edit high = after(std::vector<KeyPress>(200, character('>')));
  EXPECT_EQ(high.settings.config.level, high.settings.config.fractal.max_level());
}

TEST(Shortcuts, RepeatMovesButDoesNotToggle) {
  const KeyPress held_space{.key = GLFW_KEY_SPACE, .repeat = true};
  EXPECT_TRUE(after({held_space}).settings.playing);
  const KeyPress held_arrow{.key = GLFW_KEY_LEFT, .repeat = true};
  EXPECT_EQ(after({held_arrow, held_arrow}).shell.view.pan.x, -2);
}

TEST(Shortcuts, CtrlIsNeverMistakenForThePlainKey) {
  const Edit edit = after({ctrl('r'), ctrl('c'), ctrl('1')});
  EXPECT_FALSE(edit.commands.restart || edit.commands.clear);
  EXPECT_EQ(edit.settings.config.method.map, MapKind::kLambda);
  EXPECT_TRUE(after({ctrl('q')}).shell.commands.quit);
  EXPECT_FALSE(after({key('q')}).shell.commands.quit);
}

TEST(Shortcuts, TextSize) {
  EXPECT_EQ(after({ctrl('+')}).shell.settings.ui_pixels, 18);
  EXPECT_EQ(after(std::vector<KeyPress>(50, ctrl('-'))).shell.settings.ui_pixels, 10);
  EXPECT_EQ(after({key('p')}).shell.settings.ui_pixels, kLectureUiPixels);
  EXPECT_EQ(after({key('p'), key('p')}).shell.settings.ui_pixels, 16);
}

TEST(Shortcuts, TheWorkspacesHaveTheirOwn) {
  Edit edit = after({ctrl('2')});
  EXPECT_EQ(edit.shell.settings.workspace, 1u);
  const MapKind map = edit.settings.config.method.map;
  edit = after({key('1'), key('r'), key(GLFW_KEY_BACKSPACE)}, edit);
  EXPECT_EQ(edit.mandelbrot.config.method, MandelbrotMethod::kExhaustive);
  EXPECT_EQ(edit.settings.config.method.map, map) << "1 does not select a map in this workspace";
  EXPECT_EQ(edit.mandelbrot_commands.tour, 1);
  EXPECT_EQ(edit.mandelbrot_commands.history, -1);
  EXPECT_TRUE(after({key('f')}, edit).shell.view.fit) << "the shell's keys work in every workspace";
  EXPECT_EQ(after({ctrl('1')}, edit).shell.settings.workspace, 0u);
  EXPECT_TRUE(after({key('z')}, edit).shell.commands.previous_workspace);
}

TEST(Shortcuts, CommandsAreFoundByOtherWords) {
  const Command palette{"U", "next palette", Menu::kView, "Next palette"};
  for (const char* words : {"palette", "colours", "Next colors", "U"})
    EXPECT_TRUE(matches(palette, words)) << words;
  EXPECT_FALSE(matches(palette, "video"));
  EXPECT_TRUE(matches({"", "list of keys", Menu::kHelp, "Keys and mouse"}, "shortcuts"));
}

TEST(Shortcuts, DpTakesItsAuthorsBlocks) {
  Edit edit = after({ctrl('2'), key('2')});
  EXPECT_EQ(edit.mandelbrot.config.block, (BlockShape{64, 8}));
  EXPECT_EQ(after({key('3')}, edit).mandelbrot.config.block, (BlockShape{16, 16}));
  edit.mandelbrot.config.block = {32, 8};
  EXPECT_EQ(after({key('3')}, edit).mandelbrot.config.block, (BlockShape{32, 8}))
      << "a manually chosen block shape is kept";
}

}  // namespace
}  // namespace loom::app
