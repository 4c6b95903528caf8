set -e
sed -i 's/\bhas_position(map,/has_place(map,/' app/explain/*.cpp
sed -i 's/\blocation_of(storage_format/place_of(storage_format/' app/explain/bit_storage_text.cpp
sed -i 's/\blocation_of(storage_format/place_of(storage_format/; s/\blocation_of(stored,/place_of(stored,/' tests/explain/*.cpp
sed -i 's/CutSearch::Timed\b/CutSearch::PlanTiming/' app/cli/mandelbrot.cpp app/workspaces/mandelbrot/scene/auto_tuner.cpp
