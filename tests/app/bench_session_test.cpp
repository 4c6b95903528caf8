#include "app/workspaces/benchmark/bench_session.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "app/bench/results.h"
#include "compute/core/error.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

/// A session over levels 2 and 3 of the Sierpinski gasket on the CPU, with a temporary folder.
class BenchSessionTest : public tests::FolderTest {
 protected:
  void SetUp() override {
    session_.form.texts["level"] = "2,3";
    session_.form.texts["block"] = "1,2";
    session_.form.texts["backend"] = "cpu";
    session_.form.max_seconds = 0.001f;
    session_.form.check({});
    ASSERT_TRUE(session_.form.ready()) << session_.form.first_problem();
  }

  void finish() {
    while (session_.is_active()) session_.advance();
  }

  /// The problem of the pending file operation; empty if it succeeded.
  static std::string filed(BenchSession& session) {
    const auto filed = session.take_file_result(std::chrono::minutes(1));
    return filed ? filed->problem : "no file was under way";
  }

  BenchSession session_;
  RandomStart start_;
};

/// The measurements block until the test releases them.
TEST_F(BenchSessionTest, WhatTakesLongGoesOnBesideTheFramesAndCanBeStopped) {
  std::promise<void> go;
  const std::shared_future<void> may_go = go.get_future().share();
  BenchSession session([&](const bench::Case& one, const bench::Sampling& sampling, ProgressMonitor*) {
    may_go.wait();
    return bench::begin_measurement(one, sampling);
  });
  session.form = session_.form;
  session.start({}, start_);
  for (int i = 0; i < 3; ++i) session.advance();  // must not block
  EXPECT_TRUE(session.running());
  EXPECT_EQ(session.runner()->done(), 0u);
  session.runner()->pause();
  session.advance();
  session.runner()->stop();
  session.advance();
  EXPECT_FALSE(session.running());
  EXPECT_TRUE(session.is_active()) << "a measurement is still starting";
  go.set_value();
  while (session.is_active()) session.advance();
  EXPECT_EQ(session.runner()->done(), 0u) << "the unfinished measurement is discarded";
  EXPECT_TRUE(session.runner()->results().interrupted);
  session.start({}, start_);
  while (session.is_active()) session.advance();
  EXPECT_EQ(session.runner()->done(), session.runner()->cases().size());
}

TEST_F(BenchSessionTest, AStoppedSweepBuildsNoEngineToItsEnd) {
  BenchSession session([&](const bench::Case&, const bench::Sampling&,
                           ProgressMonitor* watch) -> std::unique_ptr<bench::Measurement> {
    while (!watch->cancelled()) std::this_thread::yield();  // until it is cancelled
    throw OperationCancelled();
  });
  session.form = session_.form;
  session.start({}, start_);
  session.advance();
  EXPECT_TRUE(session.is_active());
  session.runner()->stop();
  while (session.is_active()) session.advance();
  EXPECT_EQ(session.runner()->done(), 0u);
  EXPECT_EQ(session.runner()->skipped(), 0u);
}

TEST_F(BenchSessionTest, TheFigureComesWithTheResults) {
  EXPECT_EQ(session_.figure(), nullptr);
  session_.start({}, start_);
  EXPECT_EQ(session_.figure(), nullptr);
  finish();
  const std::vector<plot::Quantity> kinds = session_.kinds();
  EXPECT_EQ(kinds.size(), plot::kQuantities.size() - 1) << "energy was not measured";
  for (plot::Quantity kind : kinds) {
    session_.kind = kind;
    const plot::Figure* figure = session_.figure();
    ASSERT_NE(figure, nullptr) << plot::name_of(kind) << session_.figure_problem();
    EXPECT_EQ(figure->kind, kind);
  }
}

TEST_F(BenchSessionTest, WithoutABoundingBoxThereIsNoSpeedupAndItSaysWhy) {
  session_.form.texts["map"] = "lambda";
  session_.form.check({});
  session_.start({}, start_);
  finish();
  EXPECT_EQ(session_.figure(), nullptr);
  EXPECT_NE(session_.figure_problem().find("bounding box"), std::string::npos);
  session_.kind = plot::Quantity::kTime;
  EXPECT_NE(session_.figure(), nullptr);
}

TEST_F(BenchSessionTest, AFigureOfSeveralFractalsShowsTheFirstUntilAnotherIsChosen) {
  session_.form.texts["fractal"] = "sierpinski-gasket,cantor";
  session_.form.texts["block"] = "1";
  session_.form.check({});
  session_.start({}, start_);
  finish();
  ASSERT_NE(session_.figure(), nullptr) << session_.figure_problem();
  EXPECT_NE(session_.figure()->title.find("sierpinski-gasket"), std::string::npos);
  session_.selection.values["fractal"] = {"cantor"};
  ASSERT_NE(session_.figure(), nullptr);
  EXPECT_NE(session_.figure()->title.find("cantor"), std::string::npos);
}

TEST_F(BenchSessionTest, SavesWhatPlotReadsAndReplacesNothingUnasked) {
  const fs::path json = folder_ / "a.json";
  EXPECT_THROW(session_.save_results(json, false), InputError);
  start_.seed = 9;
  session_.start({}, start_);
  while (session_.runner()->done() < 2) session_.advance();
  session_.runner()->stop();
  EXPECT_TRUE(session_.unsaved());
  session_.save_results(json, false);
  EXPECT_TRUE(session_.file_busy());
  EXPECT_THROW(session_.save_results(folder_ / "other.json", false), InputError) << "one file at a time";
  EXPECT_EQ(filed(session_), "");
  EXPECT_FALSE(session_.unsaved());
  const bench::Results results = bench::read_results(json);
  EXPECT_EQ(results, session_.runner()->results());
  EXPECT_TRUE(results.interrupted);
  EXPECT_EQ(results.settings["seed"], 9);

  EXPECT_THROW(session_.save_results(json, false), InputError);
  EXPECT_NO_THROW(session_.save_results(json, true));
  EXPECT_EQ(filed(session_), "");
  EXPECT_THROW(session_.save_results(folder_, true), InputError) << "the path is a folder";
  EXPECT_THROW(session_.save_results(folder_ / "none" / "a.json", false), InputError);

  session_.kind = plot::Quantity::kTime;
  const fs::path svg = folder_ / "a.svg";
  session_.save_figure(svg, false);
  EXPECT_EQ(filed(session_), "");
  EXPECT_NE(tests::content_of(svg).find("</svg>"), std::string::npos);
  EXPECT_THROW(session_.save_figure(svg, false), InputError);
  EXPECT_THROW(session_.save_figure(json, true), InputError) << "not a figure's file extension";
  EXPECT_EQ(bench::read_results(json), results);
}

// A stopped sweep is continued by its own session and by one that opens its file. Both end with the results
// of an uninterrupted sweep.
TEST_F(BenchSessionTest, AStoppedSweepGoesOnAlsoFromItsFile) {
  start_.seed = 9;
  session_.start({}, start_);
  while (session_.runner()->done() < 3) session_.advance();
  session_.runner()->stop();
  while (session_.is_active()) session_.advance();
  const std::size_t all = session_.runner()->cases().size();
  const std::size_t done = session_.runner()->done();
  ASSERT_LT(done, all);
  EXPECT_TRUE(session_.runner()->can_continue());
  const fs::path json = folder_ / "stopped.json";
  session_.save_results(json, false);
  ASSERT_EQ(filed(session_), "");
  const bench::Results stopped = session_.runner()->results();

  BenchSession another;
  another.open_results(json, {});
  ASSERT_EQ(filed(another), "");
  EXPECT_EQ(another.cannot_continue_reason(), "");
  ASSERT_EQ(another.runner()->results(), stopped);
  EXPECT_FALSE(another.unsaved());
  EXPECT_EQ(another.form.texts["level"], "2,3");
  another.open_baseline(json);
  ASSERT_EQ(filed(another), "");
  EXPECT_EQ(another.baseline_name(), "stopped.json");
  const plot::Figure* const against_itself = another.figure();
  ASSERT_NE(against_itself, nullptr) << another.figure_problem();
  for (const plot::Series& series : against_itself->panels.at(0).series) {
    for (const plot::Point& point : series.points) EXPECT_EQ(point.value, 1);
  }
  another.close_baseline();
  for (BenchSession* session : {&session_, &another}) {
    session->runner()->continue_sweep();
    while (session->is_active()) session->advance();
    const bench::Results& results = session->runner()->results();
    EXPECT_EQ(session->runner()->status(), bench::SweepRunner::Status::kDone);
    EXPECT_TRUE(results.complete);
    EXPECT_FALSE(results.interrupted);
    EXPECT_EQ(results.settings["seed"], 9);
    ASSERT_EQ(results.rows.size(), all);
    for (std::size_t i = 0; i < done; ++i)
      EXPECT_EQ(results.rows[i], stopped.rows[i]) << "finished measurements are kept";
    for (const bench::Row& entry : results.rows) EXPECT_TRUE(entry.measured()) << entry.skipped();
    EXPECT_TRUE(session->unsaved());
  }
}

// An interrupted shard continues with its own configurations only.
TEST_F(BenchSessionTest, AShardGoesOnAsAShard) {
  session_.start({}, start_);
  while (session_.running()) session_.advance();
  const bench::Results whole = session_.runner()->results();
  const auto numbers = bench::assign_shards(2, whole.rows.size());
  bench::Results shard = whole;
  shard.rows.clear();
  shard.shards = bench::Shards{2, {2}, whole.rows.size()};
  shard.planned = bench::total_shard_size(*shard.shards);
  shard.complete = false;
  for (std::size_t i = 0; i < whole.rows.size() && shard.rows.size() < 2; ++i) {
    if (numbers[i] != 2) continue;
    shard.rows.push_back(whole.rows[i]);
    shard.rows.back().set("shard", 2);
  }
  const auto opened = [&](BenchSession& session, const bench::Results& results) {
    std::ofstream(folder_ / "shard.json") << bench::document_text(results);
    session.open_results(folder_ / "shard.json", {});
    EXPECT_EQ(filed(session), "");
  };
  BenchSession another;
  opened(another, shard);
  ASSERT_EQ(another.cannot_continue_reason(), "");
  another.runner()->continue_sweep();
  while (another.is_active()) another.advance();
  const bench::Results& results = another.runner()->results();
  EXPECT_TRUE(results.complete);
  EXPECT_EQ(results.shards, shard.shards);
  ASSERT_EQ(results.rows.size(), bench::total_shard_size(*shard.shards));
  std::size_t at = 0;
  for (std::size_t i = 0; i < whole.rows.size(); ++i) {
    if (numbers[i] != 2) continue;
    EXPECT_EQ(bench::long_text(results.rows[at]), bench::long_text(whole.rows[i]));
    EXPECT_EQ(results.rows[at++]["shard"], 2u);
  }
  EXPECT_EQ(bench::parse_results(bench::document_text(results), "x"), results);

  // A merge of two shards of which one is incomplete cannot be continued.
  bench::Results two = shard;
  two.shards->have = {1, 2};
  two.planned = whole.rows.size();
  BenchSession third;
  opened(third, two);
  EXPECT_FALSE(third.runner()->can_continue());
  EXPECT_NE(third.cannot_continue_reason().find("several shards"), std::string::npos)
      << third.cannot_continue_reason();
}

TEST_F(BenchSessionTest, WhatCannotGoOnSaysWhy) {
  session_.start({}, start_);
  while (session_.runner()->done() < 1) session_.advance();
  session_.runner()->stop();
  while (session_.is_active()) session_.advance();
  bench::Results results = session_.runner()->results();
  const auto opened = [&](const char* name) {
    const fs::path json = folder_ / name;
    std::ofstream(json) << bench::document_text(results);
    BenchSession another;
    another.open_results(json, {});
    EXPECT_EQ(filed(another), "");
    EXPECT_FALSE(another.runner()->can_continue());
    EXPECT_EQ(another.runner()->done(), results.rows.size());
    EXPECT_NE(another.figure() != nullptr || !another.figure_problem().empty(), false);
    return another.cannot_continue_reason();
  };
  results.machine.cpu = "another";
  EXPECT_NE(opened("machine.json").find("another machine"), std::string::npos);
  results.machine = session_.runner()->results().machine;
  results.commit = "another";
  EXPECT_NE(opened("commit.json").find("another build"), std::string::npos);
  results.commit = session_.runner()->results().commit;
  results.settings["axes"]["block"] = "2";
  EXPECT_NE(opened("axes.json").find("do not match"), std::string::npos);
  results.settings["axes"]["fractal"] = "my-own";
  EXPECT_NE(opened("own.json").find("my-own"), std::string::npos);
  BenchSession another;
  // Reading a pipe could block forever, so it is refused.
  ASSERT_EQ(mkfifo((folder_ / "pipe.json").c_str(), 0600), 0);
  EXPECT_THROW(another.open_results(folder_ / "pipe.json", {}), InputError);
  another.open_results(folder_ / "none.json", {});
  EXPECT_NE(filed(another), "");
  EXPECT_EQ(another.runner(), nullptr);
}

TEST_F(BenchSessionTest, AnotherSweepBeginsAnew) {
  session_.start({}, start_);
  finish();
  const std::size_t first = session_.runner()->done();
  session_.form.texts["level"] = "2";
  session_.form.check({});
  session_.start({}, start_);
  EXPECT_EQ(session_.runner()->done(), 0u);
  EXPECT_FALSE(session_.unsaved());
  finish();
  EXPECT_LT(session_.runner()->done(), first);
}

/// Loads a Mandelbrot sweep over these axes into the session's form.
void load_mandelbrot(BenchSession& session, const bench::AxisTexts& axes) {
  session.form.load(bench::SweepKind::kMandelbrot, axes);
  bench::override_texts(session.form.texts, {{"backend", "cpu"}});
  session.form.check({});
  ASSERT_TRUE(session.form.ready()) << session.form.first_problem();
}

TEST_F(BenchSessionTest, AMandelbrotSweepHasItsFiguresAndIsSaved) {
  load_mandelbrot(session_, {{"size", "32,64"}, {"g", "2"}, {"b", "4"}});
  session_.kind = plot::Quantity::kUtilization;
  session_.start({}, start_);
  EXPECT_NE(session_.kind, plot::Quantity::kUtilization) << "Mandelbrot sweeps have no utilization plot";
  EXPECT_FALSE(session_.shows_landscape());
  EXPECT_EQ(session_.unsaved_text(), "");
  finish();
  EXPECT_TRUE(session_.unsaved());
  EXPECT_NE(session_.unsaved_text().find("6 of 6"), std::string::npos) << session_.unsaved_text();
  const std::string nowhere = write("file", "no folder") + "/bench-results.json";
  SessionFile in_a_file{nowhere};
  EXPECT_EQ(session_.save(in_a_file), nowhere + ": cannot be written: Not a directory");
  std::filesystem::remove(path("file"));
  for (plot::Quantity kind : session_.kinds()) {
    session_.kind = kind;
    const plot::Figure* figure = session_.figure();
    ASSERT_NE(figure, nullptr) << plot::name_of(kind) << session_.figure_problem();
    EXPECT_EQ(figure->kind, kind);
    EXPECT_FALSE(figure->landscape);
  }
  const fs::path json = folder_ / "m.json";
  session_.save_results(json, false);
  EXPECT_EQ(filed(session_), "");
  EXPECT_FALSE(session_.unsaved());
  EXPECT_EQ(session_.unsaved_text(), "");
  EXPECT_EQ(bench::read_results(json), session_.runner()->results());
}

TEST_F(BenchSessionTest, SeveralWidthsAreDrawnByDepth) {
  load_mandelbrot(session_, {{"size", "8,16"},
                             {"method", "exhaustive"},
                             {"center", "0,1"},
                             {"width", "1e-2,1e-40"},
                             {"precision", "float,perturbed-double"}});
  session_.start({}, start_);
  finish();
  EXPECT_EQ(session_.runner()->skipped(), 2u) << "float at 1e-40";
  const plot::Figure* figure = session_.figure();
  ASSERT_NE(figure, nullptr) << session_.figure_problem();
  EXPECT_EQ(figure->x_axis, plot::XAxis::kDepth);
  EXPECT_EQ(figure->panels.at(0).series.size(), 2u);
  EXPECT_NE(figure->title.find("8 × 8"), std::string::npos) << figure->title;
  session_.selection.values["size"] = {"16"};
  ASSERT_NE(session_.figure(), nullptr);
  EXPECT_NE(session_.figure()->title.find("16 × 16"), std::string::npos);
  session_.form.load(bench::SweepKind::kMandelbrot,
                     {{"width", "1e-40"}, {"precision", "double"}, {"backend", "cpu"}});
  session_.form.check({});
  EXPECT_FALSE(session_.form.ready());
  EXPECT_NE(session_.form.first_problem().find("double"), std::string::npos);
}

TEST_F(BenchSessionTest, ManyCutsAreALandscape) {
  load_mandelbrot(session_, {{"size", "64"}, {"method", "exhaustive,ask"}, {"g", "2..16"}, {"b", "2..8"}});
  session_.start({}, start_);
  EXPECT_TRUE(session_.shows_landscape());
  finish();
  ASSERT_NE(session_.figure(), nullptr) << session_.figure_problem();
  EXPECT_TRUE(session_.figure()->landscape);
  const bench::Case* measured = session_.case_at({4, 2, 8});
  ASSERT_NE(measured, nullptr);
  const MandelbrotConfig& config = std::get<bench::MandelbrotCase>(*measured).config;
  EXPECT_EQ(config.g, 4u);
  EXPECT_EQ(config.b, 8u);
  EXPECT_EQ(config.method, MandelbrotMethod::kAsk);
  EXPECT_EQ(session_.case_at({512, 2, 8}), nullptr);
  const fs::path svg = folder_ / "m.svg";
  session_.save_figure(svg, false);
  EXPECT_EQ(filed(session_), "");
  EXPECT_NE(tests::content_of(svg).find("</svg>"), std::string::npos);
  session_.landscape_chosen = false;
  ASSERT_NE(session_.figure(), nullptr) << session_.figure_problem();
  EXPECT_FALSE(session_.figure()->landscape);
}

}  // namespace
}  // namespace loom::app
