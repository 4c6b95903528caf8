#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "program.h"

namespace loom::test {
namespace {

struct BadInput {
  std::string name;
  std::string line;
  int status;
  std::vector<std::string> said;  ///< substrings that the single line on standard error must contain
};
void PrintTo(const BadInput& input, std::ostream* stream) {
  *stream << input.line;
}

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, GetsOneLineAndTheStatus) {
  const Outcome outcome = run_program(words(GetParam().line));
  EXPECT_EQ(outcome.status, GetParam().status);
  EXPECT_EQ(outcome.out, "");
  ASSERT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
  EXPECT_EQ(outcome.err.back(), '\n');
  for (const std::string& part : GetParam().said) {
    EXPECT_NE(outcome.err.find(part), std::string::npos) << "missing in the message: " << part << "\n"
                                                         << outcome.err;
  }
}

const std::vector<std::string> kFractals = {"sierpinski-gasket",
                                            "sierpinski-carpet",
                                            "vicsek",
                                            "x-fractal",
                                            "h-fractal",
                                            "empty-bottles",
                                            "candy",
                                            "chandelier",
                                            "cantor"};
const std::vector<std::string> kMaps = {"bounding-box, lambda, compact"};

INSTANTIATE_TEST_SUITE_P(
    Usage, BadInputTest,
    testing::Values(
        BadInput{"subcommand", "lief", 2, {"lief", "view", "shot", "life", "verify", "info"}},
        BadInput{"option",
                 "life --levle 3",
                 2,
                 {"--levle", "--level", "--fractal", "--map", "--block", "--steps"}},
        BadInput{"argument", "life 3", 2, {"'3'", "--level"}},
        BadInput{"missing_value", "life --level", 2, {"--level"}},
        BadInput{"empty_value", "life --save= --json", 2, {"--save= has no value"}},
        BadInput{"device_of_the_cpu", "life --backend cpu --device 1", 2, {"--device", "--backend"}},
        BadInput{"film_of_life_from_afar", "video --out a.png --dwell 20", 2, {"--dwell", "--workspace"}},
        BadInput{"twice", "life --level 3 --level 4", 2, {"--level"}},
        BadInput{"two_subcommands", "life info", 2, {"info"}},
        BadInput{"default_subcommand_option", "--levle 3", 2, {"--levle", "--level", "--palette"}}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Values, BadInputTest,
    testing::Values(
        BadInput{"fractal", "life --fractal serpinski", 2, kFractals},
        BadInput{"fractal_json", "life --fractal serpinski --json", 2, kFractals},
        BadInput{"fractal_in_view", "view --fractal serpinski", 2, kFractals},
        BadInput{"fractal_in_shot", "shot --out /dev/null --fractal serpinski", 2, kFractals},
        BadInput{"fractal_in_verify", "verify --fractal serpinski", 2, kFractals},
        BadInput{"map", "life --map lamda", 2, kMaps},
        BadInput{"arithmetic", "life --arithmetic lop", 2, {"loop, shuffle, table"}},
        BadInput{"intra_block", "life --intra-block box", 2, {"sub-box, unrolled, lookup"}},
        BadInput{"arithmetic_of_bounding_box",
                 "life --map bounding-box --arithmetic table",
                 2,
                 {"--arithmetic has no effect here", "allowed: with --map lambda", "--map compact"}},
        BadInput{"arithmetic_of_compact",
                 "life --map compact --arithmetic tensor-2",
                 2,
                 {"loop, shuffle, table, tensor,", "nearest that runs: --map compact --arithmetic tensor"}},
        BadInput{"arithmetic_of_lambda",
                 "shot --out /dev/null --map lambda --arithmetic tensor",
                 2,
                 {"tensor-1", "nearest that runs: --map lambda --arithmetic tensor-1"}},
        BadInput{"arithmetic_for_the_block",
                 "life --block 32 --arithmetic tensor-2 --intra-block sub-box",
                 2,
                 {"4 x 1024 threads", "nearest that runs: --map lambda --arithmetic tensor-1"}},
        BadInput{"tiles", "life --tiles many", 2, {"'many'", "auto"}},
        BadInput{"tiles_zero", "life --tiles 0", 2, {"'0'", "1"}},
        BadInput{"tiles_of_gasket",
                 "life --level 9 --block 4 --tiles 4",
                 2,
                 {"allowed: auto, 1, 3, 9", "nearest that runs", "--tiles 3"}},
        BadInput{"workload", "life --workload lif", 2, {"single-write, reduction, life"}},
        BadInput{"reduction", "life --workload reduction --reduction sum", 2, {"warp, tensor"}},
        BadInput{"reduction_of_life",
                 "life --reduction tensor",
                 2,
                 {"--reduction has no effect here", "allowed: with --workload reduction"}},
        BadInput{"intra_block_of_bounding_box",
                 "life --map bounding-box --intra-block lookup",
                 2,
                 {"--intra-block has no effect here", "allowed: with --map lambda", "--map compact"}},
        BadInput{"timeline_workspace", "timeline --workspace julia", 2, {"'julia'", "life, mandelbrot"}},
        BadInput{"timeline_of_life", "timeline --g 4", 2, {"--g", "--workspace mandelbrot"}},
        BadInput{"timeline_of_the_set",
                 "timeline --workspace mandelbrot --map lambda",
                 2,
                 {"--map", "--workspace life"}},
        BadInput{"timeline_spans", "timeline --spans 1", 2, {"'1'", "from 2 to 16777216"}},
        BadInput{"timeline_out", "timeline --out /no/such/folder/t.json", 2, {"--out", "an existing folder"}},
        BadInput{"timeline_size", "timeline --workspace mandelbrot --size 0x3", 2, {"'0x3'", "WIDTHxHEIGHT"}},
        BadInput{"lens_warps", "lens --warps 0", 2, {"'0'", "from 1 to"}},
        BadInput{"lens_backend", "lens --backend cpu", 2, {"--backend", "--level"}},
        BadInput{"workspace", "shot --out /dev/null --workspace julia", 2, {"'julia'", "life, mandelbrot"}},
        BadInput{"explorer_view", "shot --out /dev/null --view 1,2", 2, {"'1,2'", "RE,IM,WIDTH"}},
        BadInput{"explorer_width", "view --view 0,0,0", 2, {"'0,0,0'", "from 1e-13 to 16"}},
        BadInput{"explorer_not_a_number", "view --view nan,0,1", 2, {"'nan,0,1'", "-4 to 4"}},
        BadInput{"explorer_method", "view --method ms", 2, {"'ms'", "exhaustive, dp, ask"}},
        BadInput{"explorer_dwell", "view --dwell 0", 2, {"'0'", "2147483647"}},
        BadInput{"colouring", "view --colouring rank", 2, {"'rank'", "adaptive, smooth, bands, histogram"}},
        BadInput{"cycle", "view --cycle -1", 2, {"'-1'", "from 0 to 65535"}},
        BadInput{"points", "mandelbrot --points 3", 2, {"'3'", "1, 2, 4"}},
        BadInput{"interior", "mandelbrot --interior red", 2, {"'red'", "palette, black, white"}},
        BadInput{"formula",
                 "mandelbrot --formula ship",
                 2,
                 {"'ship'", "mandelbrot, multibrot, tricorn, burning-ship"}},
        BadInput{"power", "mandelbrot --formula multibrot --power 9", 2, {"'9'", "from 2 to 8"}},
        BadInput{"power_alone", "mandelbrot --power 3", 2, {"--power has no effect", "--formula multibrot"}},
        BadInput{"julia", "mandelbrot --julia 1.5,1.5", 2, {"'1.5,1.5'", "at most 2", "escape radius"}},
        BadInput{"julia_form", "mandelbrot --julia 1", 2, {"'1'", "RE,IM"}},
        BadInput{"julia_nan", "view --julia nan,0", 2, {"'nan,0'", "RE,IM"}},
        BadInput{"deep_formula",
                 "mandelbrot --formula tricorn --center=-0.1,0.2 --width 1e-30",
                 2,
                 {"width 1e-30", "no perturbation for tricorn", "larger widths"}},
        BadInput{"deep_julia",
                 "view --formula celtic --julia -0.1,0.2 --center=0.1,0.2 --width 1e-30",
                 2,
                 {"width 1e-30", "no perturbation for celtic", "larger widths"}},
        BadInput{"narrow_julia",
                 "mandelbrot --julia -0.1,0.2 --center=0.1,0.2 --width 1e-200 --precision perturbed-double",
                 2,
                 {"perturbed-double", "widths above 1e-145", "perturbed-wide"}},
        BadInput{"perturbed_formula",
                 "mandelbrot --formula celtic --precision perturbed-double --center 0,0 --width 1e-3",
                 2,
                 {"perturbed-double", "no perturbation for celtic", "auto, float or double"}},
        BadInput{"interior_of_a_formula",
                 "mandelbrot --formula celtic --ideas tiles,interior",
                 2,
                 {"--ideas interior", "celtic", "without interior"}},
        BadInput{"mirror_of_a_formula",
                 "mandelbrot --formula burning-ship --ideas mirror",
                 2,
                 {"--ideas mirror", "not symmetric", "without mirror"}},
        BadInput{"samples_of_a_formula",
                 "mandelbrot --formula buffalo --check-samples 10",
                 2,
                 {"--check-samples", "buffalo", "--check"}},
        BadInput{"palette", "mandelbrot --palette rainbow", 2, {"'rainbow'", "cividis", "twilight", ".gpl"}},
        BadInput{"palette_file", "view --palette /nowhere/x.gpl", 2, {"/nowhere/x.gpl"}},
        BadInput{"regions", "view --regions on", 2, {"'on'", "off, levels, kinds"}},
        BadInput{"bench_of_another_workspace",
                 "shot --out /dev/null --workspace mandelbrot --bench scene",
                 2,
                 {"--bench", "--workspace benchmark"}},
        BadInput{"shot_into_no_folder", "shot --out /nowhere/at/all.png", 2, {"/nowhere/at", "folder"}},
        BadInput{"map_in_shot", "shot --out /dev/null --map lamda", 2, kMaps},
        BadInput{"rule", "life --rule B9/S2", 2, {"B9/S2", "0-8", "B3/S23"}},
        BadInput{"rule_form", "life --rule 3x23", 2, {"3x23", "B3/S23", "23/3"}},
        BadInput{"block", "life --level 9 --block 3", 2, {"'3'", "1, 2, 4, 8, 16, 32"}},
        BadInput{"block_carpet", "life --fractal sierpinski-carpet --level 4 --block 2", 2, {"1, 3, 9, 27"}},
        BadInput{"block_above_level", "life --level 2 --block 8", 2, {"'8'", "1, 2, 4 "}},
        BadInput{"block_negative", "life --block -4", 2, {"'-4'", "1, 2, 4"}},
        BadInput{"level", "life --level x", 2, {"'x'", "0 to 40"}},
        BadInput{"level_negative", "life --level -1", 2, {"'-1'", "0 to 40"}},
        BadInput{"seed", "life --seed -1", 2, {"'-1'", "18446744073709551615"}},
        BadInput{"seed_overflow", "life --seed 18446744073709551616", 2, {"18446744073709551615"}},
        BadInput{"density", "life --density 1.5", 2, {"'1.5'", "0 to 1"}},
        BadInput{"density_nan", "life --density nan", 2, {"'nan'", "0 to 1"}},
        BadInput{"halo", "life --halo yes", 2, {"'yes'", "on, off"}},
        BadInput{"steps", "life --steps many", 2, {"'many'", "whole number"}},
        BadInput{"at_once", "life --at-once 0", 2, {"--at-once", "1"}},
        BadInput{"backend", "life --backend gpu", 2, {"gpu", "auto, cuda, cpu"}},
        BadInput{"device", "life --device -1", 2, {"'-1'", "whole number from 0"}},
        BadInput{"level_max", "verify --level-max six", 2, {"'six'", "whole number"}},
        BadInput{"both_fractals", "life --fractal vicsek --fractal-file x.toml", 2, {"--fractal-file"}},
        BadInput{"fractal_file", "life --fractal-file /no/such.toml", 2, {"/no/such.toml", "offsets"}}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Mandelbrot, BadInputTest,
    testing::Values(
        BadInput{"method", "mandelbrot --method asc", 2, {"asc", "exhaustive, dp, ask"}},
        BadInput{"scheme", "mandelbrot --scheme one", 2, {"one", "sbr, mbr"}},
        BadInput{"g", "mandelbrot --g 0", 2, {"--g", "'0'", "1 to 1024"}},
        BadInput{"r", "mandelbrot --r 1", 2, {"--r", "'1'", "2 to 1024"}},
        BadInput{"b", "mandelbrot --b 1025", 2, {"--b", "'1025'", "1 to 1024"}},
        BadInput{"dwell", "mandelbrot --dwell 2147483648", 2, {"--dwell", "1 to 2147483647"}},
        BadInput{"block_shape", "mandelbrot --block-shape 7x5", 2, {"7x5", "multiple of 32 from 32 to 1024"}},
        BadInput{"block_shape_form", "mandelbrot --block-shape 16", 2, {"'16'", "WIDTHxHEIGHT"}},
        BadInput{"block_shape_too_large", "mandelbrot --block-shape 64x64", 2, {"64x64", "1024"}},
        BadInput{"precision", "mandelbrot --precision half", 2, {"half", "float, double"}},
        BadInput{"ideas", "mandelbrot --ideas tiles,fast", 2, {"fast", "early-stop, periodicity, narrow"}},
        BadInput{"size", "mandelbrot --size 0x5", 2, {"0x5", "1 to 1048576"}},
        BadInput{"window_nan", "mandelbrot --window -1,1,nan,1", 2, {"nan", "RE_MIN,RE_MAX,IM_MIN,IM_MAX"}},
        BadInput{"window_empty", "mandelbrot --window 1,1,-1,1", 2, {"re from 1 to 1", "below"}},
        BadInput{"window_backwards", "mandelbrot --window -1,1,1,-1", 2, {"im from 1 to -1", "below"}},
        BadInput{"window_of_three", "mandelbrot --window -1,1,1", 2, {"four numbers"}},
        BadInput{"window_past_float", "mandelbrot --window -1e300,1e300,-1,1", 2, {"finite", "float"}},
        BadInput{"center_of_one", "mandelbrot --center 0.5 --width 1", 2, {"RE,IM"}},
        BadInput{"center_no_number", "mandelbrot --center 0.5,x --width 1", 2, {"'x'", "decimal number"}},
        BadInput{"center_too_far", "mandelbrot --center 1e9,0 --width 1", 2, {"-1000000 to 1000000"}},
        BadInput{"center_alone", "mandelbrot --center 0,0", 2, {"--center and --width", "both"}},
        BadInput{"width_zero", "mandelbrot --center 0,0 --width 0", 2, {"1e-1000000 to 1e6"}},
        BadInput{"width_too_small", "mandelbrot --center 0,0 --width 9e-1000001", 2, {"1e-1000000 to 1e6"}},
        BadInput{"width_no_number", "mandelbrot --center 0,0 --width deep", 2, {"'deep'", "decimal number"}},
        BadInput{
            "center_and_window", "mandelbrot --center 0,0 --width 1 --window -1,1,-1,1", 2, {"--window"}},
        BadInput{
            "precision_of_window", "mandelbrot --precision perturbed-double", 2, {"--center and --width"}},
        BadInput{"precision_too_shallow",
                 "mandelbrot --center 0,0 --width 1e-300 --precision perturbed-double",
                 2,
                 {"1e-290", "perturbed-wide"}},
        BadInput{"nucleus_of_window", "mandelbrot --find-nucleus", 2, {"--center and --width"}},
        BadInput{"samples", "mandelbrot --check-samples 0", 2, {"--check-samples", "'0'"}},
        BadInput{
            "angle_no_number", "mandelbrot --angle 3d", 2, {"--angle", "'3d'", "a finite number of degrees"}},
        BadInput{"angle_infinite", "view --angle inf", 2, {"--angle", "'inf'", "a finite number of degrees"}},
        BadInput{"angle_of_nucleus",
                 "mandelbrot --find-nucleus --center 0,0 --width 1 --angle 3",
                 2,
                 {"--angle", "--find-nucleus"}},
        BadInput{
            "angle_interior", "mandelbrot --angle 3 --ideas interior", 2, {"--ideas interior", "--angle"}},
        BadInput{"window_dwell", "view --dwell 2147483648", 2, {"--dwell", "1 to 2147483647"}},
        BadInput{
            "window_precision", "view --precision half", 2, {"half", "auto, float, double, perturbed-float"}},
        BadInput{"view_center_alone", "view --center 0,0", 2, {"--center and --width", "both"}},
        BadInput{"view_center_no_number", "view --center 0,x --width 1", 2, {"'x'", "decimal number"}},
        BadInput{"view_center_and_view",
                 "view --center 0,0 --width 1 --view 0,0,1",
                 2,
                 {"--view", "one of the two"}},
        BadInput{"view_width_zero", "view --center 0,0 --width 0", 2, {"1e-1000000 to 1e6"}},
        BadInput{"video_to_no_number",
                 "video --workspace mandelbrot --to 0,0,1e-99999999 --out a.png",
                 2,
                 {"--to", "1e-1000000"}},
        BadInput{"video_to_no_width",
                 "video --workspace mandelbrot --to 0,0,0 --out a.png",
                 2,
                 {"--to", "'0,0,0'", "from 1e-1000000 to 16"}},
        BadInput{"direct_precision_of_a_deep_view",
                 "mandelbrot --center 0,0 --width 1e-400 --precision double",
                 2,
                 {"precision double", "width 1e-400", "auto"}},
        BadInput{"direct_precision_beside_a_centre",
                 "mandelbrot --center -0.75,0.1 --width 1e-20 --precision float",
                 2,
                 {"precision float", "width 1e-20", "auto"}},
        BadInput{"runs", "mandelbrot --runs 0", 2, {"'0'", "1 to 100000"}},
        BadInput{"npy_folder", "mandelbrot --npy /nowhere/at/all.npy", 2, {"/nowhere/at", "folder"}},
        BadInput{"png_too_large", "mandelbrot --size 20000x10 --png /tmp/x.png", 2, {"16384"}},
        BadInput{"too_large",
                 "mandelbrot --backend cpu --size 1000000x1000000",
                 3,
                 {"1000000 x 1000000", "need", "free"}},
        BadInput{"volume_set", "volume --set cube", 2, {"'cube'", "mandelbulb, quaternion-julia"}},
        BadInput{"volume_without_code", "volume --set custom", 2, {"needs its code", "--formula-file"}},
        BadInput{"volume_formula_folder", "volume --formula-file /nowhere/at.cu", 2, {"/nowhere/at.cu"}},
        BadInput{"volume_power", "volume --power 10", 2, {"'10'", "2 to 9"}},
        BadInput{"volume_c", "volume --set quaternion-julia --c 1,2,x,0", 2, {"c is", "x"}},
        BadInput{"volume_c_of_three", "volume --set quaternion-julia --c 1,2,0", 2, {"1,2,0", "4 numbers"}},
        BadInput{"volume_cut", "volume --png /tmp/x.png --cut 0.2", 2, {"--cut", "with --cut-axis"}},
        BadInput{"volume_boxes",
                 "volume --png /tmp/x.png --method exhaustive --boxes",
                 2,
                 {"--boxes", "dp or ask"}},
        BadInput{"volume_misses", "volume --png /tmp/x.png --misses", 2, {"--misses", "--check"}},
        BadInput{"volume_c_beyond", "volume --set quaternion-julia --c 2,0.1,0,0", 2, {"up to 2"}},
        BadInput{"volume_c_of_bulb", "volume --c 0,0,0,0", 2, {"--c", "with --set quaternion-julia"}},
        BadInput{"volume_box", "volume --box 0,1,0,0,0,1", 2, {"y from 0 to 0", "below the second"}},
        BadInput{"volume_size", "volume --size 2048", 2, {"'2048'", "1 to 1024"}},
        BadInput{"volume_g", "volume --size 8 --g 16", 2, {"g = 16", "1 to 8"}},
        BadInput{"volume_curve", "volume --order hilbert --g 3", 2, {"hilbert", "powers of two"}},
        BadInput{"volume_order_of_dp", "volume --method dp --order morton", 2, {"--order", "--method ask"}},
        BadInput{"space_and_formula",
                 "shot --workspace mandelbrot --space mandelbulb --formula tricorn --out /tmp/x.png",
                 2,
                 {"--formula", "without --space"}},
        BadInput{"space_and_g",
                 "shot --workspace mandelbrot --space mandelbulb --g 600 --out /tmp/x.png",
                 2,
                 {"g = 600", "1 to 256"}},
        BadInput{"volume_picture", "volume --surface 3", 2, {"--surface", "with --png"}},
        BadInput{"volume_surface", "volume --png /tmp/x.png --dwell 9 --surface 10", 2, {"'10'", "1 to 9"}},
        BadInput{"volume_npy_folder", "volume --npy /nowhere/at/all.npy", 2, {"/nowhere/at", "folder"}},
        BadInput{"model_dimensions", "model --dimensions 4", 2, {"'4'", "2 to 3"}},
        BadInput{"model_p", "model --p 1.5", 2, {"--p", "0 to 1"}},
        BadInput{"model_cut", "model --g 4 --r 2", 2, {"--b", "--search"}},
        BadInput{"model_search_and_cut", "model --search --g 4 --r 2 --b 8", 2, {"--search"}},
        BadInput{"model_cut_too_deep", "model --n 64 --g 32 --r 2 --b 32", 2, {"g * r * B <= n"}},
        BadInput{"plot_kind", "plot --kind heat", 2, {"'heat'", "speedup"}},
        BadInput{"plot_in_space",
                 "plot --kind compression --fractal menger-sponge",
                 2,
                 {"menger-sponge", "plane"}},
        BadInput{"map_check_files", "map check --exercise rows", 2, {"files", "map check --help"}},
        BadInput{"model_n", "model --n 4", 2, {"at least 8"}}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Machine, BadInputTest,
    testing::Values(
        BadInput{"level_too_large",
                 "life --backend cpu --level 30",
                 3,
                 {"needs", "free", "largest level that fits"}},
        BadInput{
            "level_past_64_bits", "life --backend cpu --level 70", 3, {"needs", "free", "largest level"}},
        BadInput{"level_past_any_number",
                 "life --backend cpu --level 99999999999999999999",
                 3,
                 {"needs", "free", "largest level"}},
        BadInput{
            "level_too_large_shot", "shot --out /dev/null --backend cpu --level 30", 3, {"needs", "free"}},
        BadInput{"no_such_device", "life --backend cuda --device 1000000", 3, {"CUDA"}},
        BadInput{"no_display", "view --frames 1", 3, {"shot"}}),
    [](const auto& test) { return test.param.name; });

TEST(BadOutput, IsAnErrorNotASilentLoss) {
  const Outcome outcome = run_program(words("life --level 3 --steps 1 --backend cpu --json"), "/dev/full");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
}

}  // namespace
}  // namespace loom::test
