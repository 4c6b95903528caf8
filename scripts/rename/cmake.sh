set -e
sed -i 's#include(teach/teach.cmake)#include(explain/explain.cmake)#; s#include(sketch/sketch.cmake)#include(explain/diagram/diagram.cmake)#; s#file(GLOB sources CONFIGURE_DEPENDS main.cpp cli/\*.cpp cli/manual/\*.cpp)#file(GLOB sources CONFIGURE_DEPENDS main.cpp program/*.cpp cli/*.cpp cli/options/*.cpp cli/manual/*.cpp)#; s#loom_teach#loom_explain#g; s#loom_sketch#loom_diagram#g' app/CMakeLists.txt
git mv app/explain/teach.cmake app/explain/explain.cmake
git mv app/explain/diagram/sketch.cmake app/explain/diagram/diagram.cmake
sed -i 's#scene/\*.cpp scene/window/\*.cpp picture/\*.cpp picture/window/\*.cpp film/\*.cpp film/window/\*.cpp places/\*.cpp places/window/\*.cpp#document/scene/*.cpp document/scene/window/*.cpp document/image/*.cpp document/image/window/*.cpp document/video/*.cpp document/video/window/*.cpp document/bookmarks/*.cpp document/bookmarks/window/*.cpp#; s#\blife/#workspaces/life/#g; s#\bmandelbrot/#workspaces/mandelbrot/#g' app/window.cmake
git grep -l "loom_teach\|loom_sketch\|app::sketch::embedded" -- '*.cmake' '*CMakeLists.txt' | xargs sed -i 's/loom_teach/loom_explain/g; s/loom_sketch/loom_diagram/g; s/loom::app::sketch::embedded/loom::app::diagram::embedded/g; s/teach_sources/explain_sources/g; s/sketch_sources/diagram_sources/g; s/teach_tests/explain_tests/g; s/sketch_tests/diagram_tests/g'
sed -i 's#/\.\./text/format.cpp#/../text/format.cpp#; ' app/explain/explain.cmake
sed -i 's#\bsplit/\*\.cpp#distributed/*.cpp#g; s#/split/mpi_ranks\.cpp#/distributed/mpi_process_group.cpp#; s#\bsplit/mpi_process_group#distributed/mpi_process_group#g; s#\bsplit/process_group#distributed/process_group#g; s#cuda/split/#cuda/distributed/#g' compute/CMakeLists.txt
sed -i 's/add_subdirectory(teach)/add_subdirectory(explain)/; s/add_subdirectory(sketch)/add_subdirectory(diagram)/' tests/CMakeLists.txt
python3 - <<'P'
import re,subprocess,os
f='tests/fuzz/CMakeLists.txt'; s=open(f).read()
names={}
import glob
for line in '\n'.join(open(t).read() for t in glob.glob('scripts/rename/*.tsv')).split('\n'):
    p=line.split('\t')
    if p[0]=='file': names[p[1]]=p[2]
D=[("app/life","app/workspaces/life"),("app/mandelbrot","app/workspaces/mandelbrot"),("app/sketch","app/explain/diagram"),("app/teach","app/explain"),("app/scene","app/document/scene"),("app/places","app/document/bookmarks"),("app/picture","app/document/image"),("app/film","app/document/video"),("compute/split","compute/distributed")]
def fix(path):
    path=names.get(path,path)
    for a,b in D:
        if path.startswith(a+'/'): return b+path[len(a):]
    return path
s=re.sub(r'\$\{app\}/([\w/]+\.cpp)',lambda m:'${app}/'+fix('app/'+m.group(1))[4:],s)
s=re.sub(r'\$\{CMAKE_SOURCE_DIR\}/([\w/]+\.cpp)',lambda m:'${CMAKE_SOURCE_DIR}/'+fix(m.group(1)),s)
s=s.replace('${app}/teach/*.cpp','${app}/explain/*.cpp')
open(f,'w').write(s)
P
