#!/bin/sh
# Members that have several meanings get names of their own before the tables are applied.
set -e
sed -i 's/\bdone\.beside\b/done.in_background/; s/\bdone_\.beside\b/done_.in_background/' app/life/panes/pane.cpp app/life/scene/engine_host.cpp tests/app/engine_host_test.cpp
sed -i 's/bool beside = false;     \/\/\/< done beside the frames, not within one/bool in_background = false;  \/\/\/< done in the background, not within a frame/' app/life/scene/engine_host.h
sed -i 's/bool beside = false;              \/\/\/< .*/bool steps_in_background = false;  \/\/\/< a step takes longer than a frame/' app/life/scene/life_facts.h
sed -i 's/\.beside = host\.works_beside()/.steps_in_background = host.works_beside()/; s/\brun_\.population\./run_.census_schedule./g' app/life/life_workspace_facts.cpp app/life/life_workspace_state.cpp
sed -i 's/\breport\.beside\b/report.steps_in_background/' app/life/panels/timing_panel.cpp
