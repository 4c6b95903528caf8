#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/documentation/page.h"

namespace loom::app::documentation {
namespace {

const std::filesystem::path kSource = LOOM_SOURCE;

std::size_t index_of(std::string_view path) {
  const auto files = page_files();
  const auto at = std::ranges::find(files, path, &SourceFile::path);
  EXPECT_NE(at, files.end()) << path;
  return static_cast<std::size_t>(at - files.begin());
}

/// A font whose characters are all half as wide as it is high.
float measure(FontFace, float size, std::string_view text) {
  const auto starts = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
  return size * 0.5f * static_cast<float>(starts);
}
std::optional<glm::vec2> no_picture(const std::string&) {
  return std::nullopt;
}

TEST(Documentation, ContainsEveryPageOfTheSource) {
  std::size_t pages = 3;  // README, CONTRIBUTING, CHANGELOG
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "docs"))
    pages += entry.path().extension() == ".md";
  EXPECT_EQ(page_files().size(), pages);
}

TEST(Documentation, EveryPageIsParsedWithoutRawHtml) {
  Library library;
  for (std::size_t i = 0; i < library.size(); ++i) {
    const Page& page = library.page(i);
    EXPECT_FALSE(page.has_html) << page.path;
    EXPECT_FALSE(page.title.empty()) << page.path;
    EXPECT_GT(page.blocks.size(), 2u) << page.path;
    for (const Block& block : page.blocks) {
      if (block.kind == Block::Kind::kCode) continue;
      for (const Span& span : block.spans) {
        if (span.face == FontFace::kMono) continue;
        EXPECT_EQ(span.text.find("]("), std::string::npos) << page.path << span.text;
      }
    }
  }
}

TEST(Documentation, EveryLinkLeadsToSomething) {
  Library library;
  std::size_t between_pages = 0;
  for (std::size_t i = 0; i < library.size(); ++i) {
    for (const std::string& link : library.page(i).links) {
      const LinkTarget target = library.target(i, link);
      switch (target.kind) {
        case LinkTarget::Kind::kPage:
          ++between_pages;
          EXPECT_TRUE(target.anchor.empty() || library.find_heading(target.page, target.anchor))
              << page_files()[i].path << ": " << link;
          break;
        case LinkTarget::Kind::kSource:
          EXPECT_TRUE(std::filesystem::exists(kSource / target.address))
              << page_files()[i].path << ": " << link;
          break;
        case LinkTarget::Kind::kWeb:
          break;
      }
    }
  }
  EXPECT_GT(between_pages, 50u);
}

TEST(Documentation, ReadsBlocks) {
  const Page page = parse_page({"docs/README.md",
                                "# A *b* `c`\n\n1. one\n2. two [l](docs/results.md#z)\n\n```\nf();\n```\n\n"
                                "| h | i |\n|---|---|\n| 1 | `2` |\n\n![alt](images/p.png)\n"});
  ASSERT_EQ(page.blocks.size(), 6u);
  EXPECT_EQ(page.title, "A b c");
  EXPECT_EQ(page.blocks[0].anchor, "a-b-c");
  EXPECT_EQ(page.blocks[2].marker, "2.");
  EXPECT_EQ(page.blocks[2].indent, 1);
  EXPECT_EQ(page.links.at(0), "docs/results.md#z");
  EXPECT_EQ(page.blocks[3].kind, Block::Kind::kCode);
  EXPECT_EQ(plain_text(page.blocks[3]), "f();\n");
  ASSERT_EQ(page.blocks[4].rows.size(), 2u);
  EXPECT_EQ(page.blocks[4].rows[1][1].front().face, FontFace::kMono);
  EXPECT_EQ(page.blocks[5].kind, Block::Kind::kImage);
  EXPECT_EQ(plain_text(page.blocks[5]), "alt");
}

TEST(Documentation, FollowsLinksBetweenFolders) {
  const Library library;
  const std::size_t from = index_of("docs/how-to/install-and-run.md");
  const LinkTarget keys = library.target(from, std::string("../reference/keys.") + "md#life");
  EXPECT_EQ(keys.kind, LinkTarget::Kind::kPage);
  EXPECT_EQ(keys.page, index_of("docs/reference/keys.md"));
  EXPECT_EQ(keys.anchor, "life");
  EXPECT_EQ(library.target(from, "#first").page, from);
  EXPECT_EQ(library.target(from, "https://example.org/").kind, LinkTarget::Kind::kWeb);
  EXPECT_EQ(library.target(from, "../../tests").address, "tests");
}

TEST(Documentation, SearchFindsAllWordsInOneBlock) {
  Library library;
  const auto hits = library.search("spotlight CURSOR", 10);
  EXPECT_TRUE(std::ranges::any_of(
      hits, [](const SearchHit& hit) { return hit.page == index_of("docs/reference/keys.md"); }));
  const auto order = library.search("kernel", 1000);
  const auto for_users = [](const SearchHit& hit) {
    const auto pages = {"CONTRIBUTING.md", "docs/architecture.md", "docs/design-notes.md",
                        "docs/how-to/test-changes.md"};
    return std::ranges::none_of(pages, [&](const char* path) { return hit.page == index_of(path); });
  };
  EXPECT_TRUE(std::ranges::is_partitioned(order, for_users)) << "contributors' pages come last";
  EXPECT_FALSE(for_users(order.back()));
  const auto shared = library.search("share", 1000);
  const auto command = std::ranges::find_if(shared, [](const SearchHit& hit) {
    return hit.excerpt.find("to share it as text") != std::string::npos;
  });
  EXPECT_LT(command - shared.begin(), 3)
      << "the word itself comes before words with it, instructions before explanations";
  EXPECT_TRUE(library.search("spotlight no-such-word", 10).empty());
  EXPECT_TRUE(library.search("  ", 10).empty());
  EXPECT_EQ(library.search("the", 7).size(), 7u);
}

// All words are drawn, in lines that stay within the width.
TEST(Documentation, LaysOutEveryPageWithinItsWidth) {
  Library library;
  for (std::size_t i = 0; i < library.size(); ++i) {
    const Page& page = library.page(i);
    std::size_t letters = 0;
    for (const Block& block : page.blocks) {
      for (const char c : block.marker + plain_text(block)) letters += c != ' ' && c != '\n';
    }
    for (const float width : {300.0f, 900.0f}) {
      const PageLayout layout = lay_out(page, width, 16, measure, no_picture);
      std::size_t drawn = 0;
      for (const TextRun& run : layout.runs) {
        EXPECT_LE(run.at.y + run.size, layout.height + 1) << page.path;
        const float most = width > 500 ? width : 2 * width;  // a narrow table may be wider
        EXPECT_LE(run.at.x + run.width, most + 1) << page.path << ": " << run.text;
        for (const char c : run.text) drawn += c != ' ' && c != '\n';
      }
      EXPECT_EQ(drawn, letters) << page.path;
    }
  }
}

// The program contains all pictures of its pages; wide ones are scaled to the width.
TEST(Documentation, ShowsThePicturesOfItsPages) {
  Library library;
  std::size_t pictures = 0;
  for (std::size_t i = 0; i < library.size(); ++i) {
    const auto size_of = [&](const std::string& link) -> std::optional<glm::vec2> {
      const auto size = picture_size(picture_file(library.target(i, link).address));
      return size ? std::optional(glm::vec2(*size)) : std::nullopt;
    };
    const Page& page = library.page(i);
    const PageLayout layout = lay_out(page, 300, 16, measure, size_of);
    const auto images = std::ranges::count_if(page.blocks, [&](const Block& block) {
      return block.kind == Block::Kind::kImage &&
             page.links[static_cast<std::size_t>(block.spans.front().link)].ends_with(".png");
    });
    EXPECT_EQ(layout.pictures.size(), static_cast<std::size_t>(images)) << page.path;
    for (const PicturePlace& one : layout.pictures) {
      const glm::vec2 natural = *size_of(page.links[static_cast<std::size_t>(one.link)]);
      EXPECT_LE(one.area.end().x, 301) << page.path;
      EXPECT_LE(one.area.end().y, layout.height + 1) << page.path;
      EXPECT_NEAR(one.area.size.x / one.area.size.y, natural.x / natural.y, 0.01) << page.path;
    }
    pictures += layout.pictures.size();
  }
  EXPECT_GT(pictures, 10u);
}

TEST(Documentation, PicturesAreScaled) {
  const auto png = picture_file("docs/images/window.png");
  ASSERT_TRUE(picture_size(png));
  const std::vector<std::uint32_t> small = read_picture(png, {64, 36});
  EXPECT_EQ(small.size(), 64u * 36u);
  EXPECT_TRUE(std::ranges::any_of(small, [&](std::uint32_t colour) { return colour != small.front(); }));
  EXPECT_EQ(read_picture(png, *picture_size(png)).size(),
            static_cast<std::size_t>(picture_size(png)->x) * static_cast<std::size_t>(picture_size(png)->y));
  EXPECT_TRUE(picture_file("docs/images/no-such-picture.png").empty());
}

}  // namespace
}  // namespace loom::app::documentation
