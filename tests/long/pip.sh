#!/usr/bin/env bash
# The way of docs/how-to/install.md into a virtual environment: pip install of src/python, offline, and its program in it. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import cffi, numpy, setuptools, wheel, ensurepip' 2>/dev/null ||
    { echo '1..0 # SKIP python3-cffi, -numpy, -setuptools, -wheel or -venv is not installed'; exit 0; }
unset PYTHONPATH PYTHONDONTWRITEBYTECODE
"$python" -m venv --system-site-packages env >out 2>err
ok $? 'an environment'
env/bin/pip install --no-index --no-build-isolation "$project/src/python" >out 2>err
ok $? 'pip installs the module offline'
git -C "$project" status --porcelain -- src >err 2>/dev/null
! grep -q 'src/python/.*\(egg-info\|build\)' err
ok $? 'and leaves nothing in the sources'
env/bin/python -c 'import costab; print(costab.__file__); print(costab.build_info())' >out 2>err && grep -q "^$work/env/lib/" out &&
    [ "$(tail -n 1 out)" = "$("$costab" --version | head -n 1)" ]
ok $? 'it is imported from there, with the library that make built'
awk '/^```/ { if (name) close(name); name = $0 == "```yaml" ? "spec" ++n ".yaml" : $0 == "```python" ? "part" ++p ".py" : ""; next } name { print >name }' "$project"/docs/how-to/{planar,own-model,python}.md
mv "$(grep -l 'system: planar' spec*.yaml)" zigzag.yaml && mv "$(grep -l '^title: Motor' spec*.yaml)" drive.yaml
env/bin/python "$(grep -l '^drive = ' part*.py)" >out 2>err && tail -n 1 out | grep -q '^77\.883' && [ -s zigzag.png ]
ok $? "docs/how-to/python.md's program"
readelf -d env/lib/python3*/site-packages/costab/_costab*.so >out 2>err && grep -q 'R.*PATH.*\[$ORIGIN\]' out
ok $? 'it takes the library beside itself'
finish
