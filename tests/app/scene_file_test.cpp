#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/document/image/image.h"
#include "app/document/scene/scene.h"
#include "app/files/fractal_file.h"
#include "app/files/state_folder.h"
#include "app/patterns/pattern.h"
#include "compute/core/error.h"
#include "sample_scene.h"
#include "temporary_folder.h"

namespace loom::app::scene {
namespace {

// A grey pixel without a scene.
const std::string kPlainPng = *from_base64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==");

class SceneFile : public loom::tests::FolderTest {};
class FolderList : public loom::tests::FolderTest {};

// Some editors write a byte order mark at the start of every file.
TEST_F(SceneFile, AByteOrderMarkIsPartOfNoText) {
  const std::string mark = "\xef\xbb\xbf";
  const auto file = [&](const std::string& name, const std::string& text) {
    return std::filesystem::path(write(name, mark + text));
  };
  expect_equal(read_file(file("a.loom", bytes_of(default_scene())), workspace_formats(), {}),
               default_scene());
  EXPECT_EQ(read_palette_file(file("a.gpl", "GIMP Palette\n0 0 0\n1 1 1\n")).stops.size(), 2u);
  EXPECT_EQ(read_palette_file(file("a.map", "0 0 0\n1 1 1\n")).stops.size(), 2u);
  EXPECT_EQ(read_palette_file(file("a.cpt", "0 0 0 0 1 1 1 1\n")).stops.size(), 2u);
  EXPECT_EQ(patterns::read_pattern_file(file("a.rle", "x = 1, y = 1\no!\n")).cells.size(), 1u);
  EXPECT_EQ(patterns::read_pattern_file(file("life_of(a).cells", "O.O\n")).cells.size(), 2u);
  EXPECT_EQ(patterns::parse_pattern(mark + "x = 1, y = 1\no!\n", "clipboard").cells.size(), 1u);
  EXPECT_EQ(read_fractal_file(file("a.toml", fractal_text({default_life_settings().config.fractal}))).fractal,
            default_life_settings().config.fractal);
  EXPECT_EQ(read_state_file(file("a.kfr", "Re: 0"), 100), "Re: 0");
}

TEST_F(SceneFile, IsReadFromItsFileAndFromAPicture) {
  save_file(folder_ / "a.loom", unusual());
  expect_equal(read_file(folder_ / "a.loom", workspace_formats(), {}), unusual());
  const render::RgbImage pixel{{1, 1}, {1, 2, 3}};
  image::StoredRows rows(pixel);
  image::write_image(folder_ / "a.png", rows, bytes_of(unusual()));
  expect_equal(read_file(folder_ / "a.png", workspace_formats(), {}), unusual());
  // Older versions wrote the text after the image data.
  image::write_image(folder_ / "plain-scene.png", rows, bytes_of(default_scene()));
  std::stringstream png;
  png << std::ifstream(folder_ / "plain-scene.png", std::ios::binary).rdbuf();
  std::string old = png.str();
  const std::size_t begin = old.find("tEXt") - 4;
  const std::string chunk = old.substr(begin, old.find("IDAT") - 4 - begin);
  old.erase(begin, chunk.size());
  old.insert(old.find("IEND") - 4, chunk);
  write("old.png", old);
  expect_equal(read_file(folder_ / "old.png", workspace_formats(), {}), default_scene());
  const auto message = [&](const std::string& name, const std::string& bytes) {
    write(name, bytes);
    try {
      read_file(folder_ / name, workspace_formats(), {});
    } catch (const InputError& error) {
      return std::string(error.what()).substr(folder_.string().size() + 1);
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("plain.png", kPlainPng),
            "plain.png: the image contains no scene; allowed: a PNG saved by Fractal Loom");
  EXPECT_EQ(message("cut.png", kPlainPng.substr(0, 50)), "cut.png: the PNG is damaged: it ends early");
  EXPECT_THROW(read_file(folder_ / "none.loom", workspace_formats(), {}), InputError);
  EXPECT_THROW(read_file(folder_, workspace_formats(), {}), InputError);
  EXPECT_THROW(read_file("/dev/zero", workspace_formats(), {}), InputError);
}

TEST_F(FolderList, ListsWhatIsWantedAndCompletesNames) {
  for (const char* name : {"one.loom", "onetwo.loom", "image.png", "text.txt", ".hidden.loom"})
    write(name, "");
  std::filesystem::create_directory(folder_ / "inner");
  write("inner/deep.loom", "");
  const std::vector<std::string> extensions = {".loom", ".png"};
  const std::vector<FolderEntry> wanted = {
      {"inner", true}, {"one.loom", false}, {"onetwo.loom", false}, {"image.png", false}};
  EXPECT_EQ(list_folder(folder_, extensions), wanted);
  EXPECT_EQ(complete_name(folder_, "o", extensions), "one");
  EXPECT_EQ(complete_name(folder_, "onet", extensions), "onetwo.loom");
  EXPECT_EQ(complete_name(folder_, "in", extensions), "inner/");
  EXPECT_EQ(complete_name(folder_, "inner/d", extensions), "inner/deep.loom");
  EXPECT_EQ(complete_name(folder_, "zzz", extensions), "zzz");
  EXPECT_EQ(complete_name(folder_, "none/z", extensions), "none/z");
  EXPECT_THROW(list_folder(folder_ / "none", {}), InputError);
}

TEST(Camera, LooksAtWhatWasKept) {
  render::Camera camera;
  camera.set_field({59049, 32768});
  camera.set_picture({1281, 717});
  camera.zoom_at({300, 200}, 40);
  camera.pan({13.25, -71.5});
  const render::Camera::View view = *view_of(camera);
  render::Camera other;
  other.set_field({59049, 32768});
  other.set_picture({1281, 717});
  EXPECT_EQ(view_of(other), std::nullopt);
  look_at(other, view);
  EXPECT_EQ(other.edges(0), camera.edges(0));
  EXPECT_EQ(other.edges(1), camera.edges(1));
  // A smaller picture still shows the whole view.
  other.set_picture({640, 480});
  look_at(other, view);
  EXPECT_LE(other.field_at({0, 0}).x, camera.field_at({0, 0}).x + 1);
  EXPECT_GE(other.field_at({640, 0}).x, camera.field_at({1281, 0}).x - 1);
  look_at(other, std::nullopt);
  EXPECT_TRUE(other.fitted());
}

}  // namespace
}  // namespace loom::app::scene
