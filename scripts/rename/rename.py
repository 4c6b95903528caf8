#!/usr/bin/env python3
"""rename.py TREE TABLE...: applies rename tables of this folder; rename.sh explains their format."""
import re, subprocess, sys, fnmatch, collections, os
tree = sys.argv[1]
tables = [os.path.join(os.path.dirname(os.path.abspath(__file__)), t) for t in sys.argv[2:]]
os.chdir(tree)
files = subprocess.run(["git","ls-files"],capture_output=True,text=True).stdout.split("\n")
code = [f for f in files if f.endswith((".h",".cpp",".cu",".cuh"))]
cache = {}
def match(glob):
    if glob not in cache:
        if glob == "*": cache[glob] = code
        else:
            out = subprocess.run(["git","ls-files","--",glob],capture_output=True,text=True).stdout.split("\n")
            cache[glob] = [f for f in out if f.endswith((".h",".cpp",".cu",".cuh"))]
    return cache[glob]
TOKEN = re.compile(r'''(?P<raw>R"(?P<d>[^()\s\\]{0,16})\(.*?\)(?P=d)")|(?P<str>"(?:\\.|[^"\\\n])*")|(?P<chr>(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*')|(?P<lc>//[^\n]*)|(?P<bc>/\*.*?\*/)|(?P<num>\b\d[\w'.]*)|(?P<id>[A-Za-z_]\w*)''', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
moves = []
for table in tables:
    comments = "code-only" not in os.path.basename(table)
    per = collections.defaultdict(dict)
    for n, line in enumerate(open(table), 1):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("#"): continue
        p = line.split("\t")
        if p[0] == "file":
            moves.append((p[1], p[2])); continue
        if p[0] != "id" or len(p) < 4: print(f"{table}:{n}: bad row {line!r}"); continue
        fs = match(p[3])
        if not fs: print(f"{table}:{n}: no file matches {p[3]}")
        for f in fs:
            if per[f].get(p[1], p[2]) != p[2]: print(f"{table}:{n}: {f}: {p[1]} -> {per[f][p[1]]} and {p[2]}")
            else: per[f][p[1]] = p[2]
    changed = 0
    for f, m in per.items():
        if not os.path.exists(f): continue
        s = open(f).read()
        def sub(t):
            k = t.lastgroup if t.lastgroup != "d" else "raw"
            x = t.group(0)
            if k == "id": return m.get(x, x)
            if k in ("lc","bc") and comments: return WORD.sub(lambda w: m.get(w.group(0), w.group(0)), x)
            return x
        r = TOKEN.sub(sub, s)
        if r != s: open(f,"w").write(r); changed += 1
    print(f"{os.path.basename(table)}: {changed} files")
for a, b in moves:
    if not os.path.exists(a): print(f"no file {a}"); continue
    os.makedirs(os.path.dirname(b), exist_ok=True)
    subprocess.run(["git","mv",a,b],check=True)
# paths in includes, cmake, scripts, docs
text = [f for f in subprocess.run(["git","ls-files"],capture_output=True,text=True).stdout.split("\n") if f and not f.startswith(("bench/results","docs/images","tests/fuzz/corpus","scripts/rename"))]
pairs = dict(moves)
if pairs:
    rx = re.compile("|".join(re.escape(a) for a in sorted(pairs, key=len, reverse=True)))
    for f in text:
        try: s = open(f).read()
        except Exception: continue
        r = rx.sub(lambda t: pairs[t.group(0)], s)
        top = f.split("/")[0]
        if f.endswith(("CMakeLists.txt",".cmake")):
            base = os.path.dirname(f)
            for a, b in moves:
                if base and a.startswith(base + "/") and b.startswith(base + "/"):
                    r = re.sub(r"(?<![\w/.])" + re.escape(a[len(base)+1:]) + r"(?![\w])", b[len(base)+1:], r)
        if r != s: open(f,"w").write(r)
