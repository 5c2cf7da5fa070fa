#!/usr/bin/env bash
# costab classify, area, boundary and the command line itself: output, messages, exit status. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"

run classify --a 0.5 --gamma -2 --delta 3 --scheme cross
[ $? -eq 0 ] && [ ! -s err ] && [ "$(head -1 out)" = scheme,method,substeps,a,gamma,delta,trace,determinant,spectral_radius,iteration_radius,class,cause ] &&
    grep -qx 'cross,rk4,1,0.5,-2,3,2.296875,1.843994140625,[0-9.]*,,SU,det' out
ok $? 'one point: header, values exact in binary, an empty cell for the iteration radius'

run classify --a 0.5 --gamma -2 --delta 3
[ "$(tail -n +2 out | cut -d, -f1 | tr '\n' ' ')" = 'simulation cross zigzag strong ' ]
ok $? 'all schemes by default, in their order'

run classify --a 0.5 --gamma -2 --delta 3 --scheme gauss-seidel-linear,monolithic
[ "$(tail -n +2 out | cut -d, -f1 | tr '\n' ' ')" = 'zigzag simulation ' ]
ok $? 'aliases are understood and first names printed, in the order asked for'

printf 'delta,note,gamma,a\r\n3,"x, y",-2,0.5\r\n\r\n 1 ,,-1,0\r\n' >points.csv
run classify --points points.csv --scheme cross,strong
[ $? -eq 0 ] && [ "$(tail -n +2 out | cut -d, -f1,4-6 | tr '\n' ' ')" = 'cross,0.5,-2,3 strong,0.5,-2,3 cross,0,-1,1 strong,0,-1,1 ' ]
ok $? 'points: any order of columns, others ignored, quotes, CRLF and empty lines; schemes inside a point'

"$costab" classify --points - --scheme cross <points.csv >again 2>err && "$costab" classify --points points.csv --scheme cross | cmp -s - again
ok $? 'points from the standard input'

run classify --points points.csv --scheme cross,strong --format json
/usr/bin/python3 - <<'P'
import json
rows = json.load(open("out"))
assert len(rows) == 4 and rows[0]["scheme"] == "cross" and rows[0]["iteration_radius"] is None
assert rows[0]["trace"] == 2.296875 and rows[0]["substeps"] == 1 and rows[0]["class"] == "SU"
P
ok $? 'json: the same rows as an array of objects'

run classify --a -1,0.5 --gamma -2:-1:3 --delta 1,3 --scheme cross && tail -n +2 out >lists.csv
{ echo a,gamma,delta; for a in -1 0.5; do for gamma in -2 -1.5 -1; do for delta in 1 3; do echo "$a,$gamma,$delta"; done; done; done; } >points12.csv
"$costab" classify --points points12.csv --scheme cross | tail -n +2 | cmp -s - lists.csv && [ "$(wc -l <lists.csv)" = 12 ]
ok $? 'lists and ranges of a, gamma, delta: the points of all combinations'

# every number of a CSV table is the shortest that reads back, and the one of the JSON table; infinite areas are null there
run area --a -2.5,0.3 --scheme cross --substeps 2,1 && cp out area.csv && run area --a -2.5,0.3 --scheme cross --substeps 2,1 --format json
/usr/bin/python3 - <<'P'
import csv, json, math
rows, objects = list(csv.DictReader(open("area.csv"))), json.load(open("out"))
assert len(rows) == len(objects) == 2
for row, found in zip(rows, objects):
    assert found["substeps"] == [2, 1] and found["scheme"] == "cross"
    for name in ("a", "area_ss", "area_us", "error_ss", "error_us"):
        value = float(row[name])
        assert math.isinf(value) or repr(value).replace(".0", "") == row[name] or len(row[name]) <= len(repr(value)), row[name]
        assert found[name] == (value if math.isfinite(value) else None)
        assert found.get(name + "_nonfinite") == (None if math.isfinite(value) else row[name])
assert any(r["area_ss"] == "inf" for r in rows) and not all(r["area_ss"] == "inf" for r in rows)
P
ok $? 'numbers: the same in CSV and JSON, in the shortest form; infinity is null beside its name'
run area --a -2,0.3 --scheme cross --digits 40 && cp out area.csv && run area --a -2,0.3 --scheme cross --digits 40 --format json
/usr/bin/python3 - <<'P'
import csv, json
from decimal import Decimal
rows, objects = list(csv.DictReader(open("area.csv"))), json.load(open("out"), parse_float=Decimal)
for row, found in zip(rows, objects, strict=True):
    for name in ("area_ss", "area_us"):
        assert found[name] == (None if row[name] == "inf" else Decimal(row[name])) and found.get(name + "_nonfinite") in (None, row[name])
assert objects[0]["area_ss"] is None and len(str(objects[1]["area_ss"])) > 40
P
ok $? 'numbers of 40 digits: numbers in JSON too, with all digits'

run classify --a 1 --gamma -2 --delta 3 --scheme cross --format json
/usr/bin/python3 - <<'P'
import json
(r,) = json.load(open("out"))
fails = {"det": r["determinant"] >= 1, "fold": 1 - r["trace"] + r["determinant"] <= 0, "flip": 1 + r["trace"] + r["determinant"] <= 0}
assert sum(fails.values()) > 1 and r["cause"] == [name for name in fails if fails[name]]
P
ok $? 'json: causes are an array'

run classify --matrix 10,3000,-2767,-110 --step 1e-3 --scheme simulation && grep -q ',SU,det$' out &&
    run classify --matrix 10,3000,-2000,290 --step 1e-3 --scheme simulation && grep -q ',US,$' out
ok $? 'an unscaled matrix with its step: the SU and US cases of [KNS] figure 5 at h = 1e-3'

run classify --a 0.1 --gamma -1 --delta 2 --scheme cross --substeps 3,1 && grep -q '^cross,rk4,"3,1",' out
ok $? 'micro steps of each subsystem'

run classify --a 1e200 --gamma -2e200 --delta 1 --scheme all && [ "$(grep -c ',UU\|,SU' out)" -eq 4 ] && ! grep -q 'nan.*,SS\|,$' out
ok $? 'values that overflow are unstable and have a cause'

run area --a -0.5,0,0.5 --scheme cross
[ $? -eq 0 ] && grep -qx 'cross,rk4,1,-0.5,inf,inf,0,0' out && grep -q '^cross,rk4,1,0,3.87893011717344[0-9]*,0,' out
ok $? 'area: infinite, finite and zero'

run area --a 0:1:3 --scheme strong && [ "$(tail -n +2 out | cut -d, -f4 | tr '\n' ' ')" = '0 0.5 1 ' ]
ok $? 'a LIST LO:HI:N has both ends'

run boundary --a 0 --scheme simulation && grep -q ',flip,0,0.43889378395[0-9]*,6.1752954851' out && grep -q '^simulation,rk4,1,0,det,0,' out
ok $? 'boundary: the isolated point of gamma3 and the heart-shaped gamma1'

run --help && grep -q classify out && grep -q dopri5 out
ok $? '--help lists commands and methods'
for command in classify area boundary sweep plot info; do
    run "$command" --help && grep -q '^Usage: costab '"$command" out && [ ! -s err ]
    ok $? "$command --help"
done
run sweep --help && cp out sweep_help && run help sweep && cmp -s out sweep_help
ok $? 'help COMMAND is COMMAND --help'
[ "$(awk 'length > 80' sweep_help)" = '' ] && run --help && [ "$(awk 'length > 80' out)" = '' ]
ok $? 'help fits 80 columns'
refused 2 "unknown command 'swep'" 'help on an unknown command' help swep
refused 2 "no shell 'csh'" 'completion for an unknown shell' help --completion csh
refused 2 'exclude' 'two things to print' help --man sweep
run --version && grep -q '^costab [0-9]' out
ok $? '--version'

printf 'a,gamma,delta\n0.5,-2\n' >short.csv
printf 'a,gamma\n0.5,-2\n' >column.csv
printf 'a,gamma,delta\n0.5,-2,3\n0.5,1e-9x,3\n' >rubbish.csv
printf 'a,gamma,delta\n0.5,nan,3\n' >nan.csv
printf 'a,gamma,delta,a\n' >twice.csv
printf 'a,gamma,delta\n0.5,,3\n' >gap.csv
refused 2 'gap.csv:2:5: error: expected a finite number, found an empty cell' 'an empty cell' classify --points gap.csv
: >empty.csv
head -c 300 /dev/urandom | tr -d '\n' >binary.csv
printf '\0' >>binary.csv
refused 2 '^short.csv:2:7: error: .*too short' 'a short line' classify --points short.csv
refused 2 "^column.csv:1:1: error: .*no column 'delta'" 'a missing column' classify --points column.csv
refused 2 "^rubbish.csv:3:5: error: .*'1e-9x'" 'trailing rubbish in a number' classify --points rubbish.csv
refused 2 "^nan.csv:2:5: error: .*'nan'" 'nan in a points file' classify --points nan.csv
refused 2 "^twice.csv:1:15: error: .*second column" 'a column twice' classify --points twice.csv
refused 2 'empty.csv: empty' 'an empty points file' classify --points empty.csv
refused 2 'binary' 'a binary points file' classify --points binary.csv
refused 2 'nowhere.csv' 'a points file that is not there' classify --points nowhere.csv
refused 2 'decimal point' 'a decimal comma' classify --matrix 1,2,3,4 --step 0,5
refused 2 'more than' 'too many points' classify --a 0:1:100000 --gamma 0:1:100000 --delta 0:1:2
refused 2 "'inf'" 'inf on the command line' classify --a inf --gamma -1 --delta 1
refused 2 'delta is missing' 'a missing option' classify --a 1 --gamma -1
refused 2 'either' 'nothing to classify' classify
refused 2 'either' 'two ways to give points' classify --a 1 --points points.csv
refused 2 "unknown scheme 'crss'" 'an unknown scheme' classify --a 1 --gamma -1 --delta 1 --scheme crss
refused 2 'named twice' 'a scheme twice' classify --a 1 --gamma -1 --delta 1 --scheme cross,jacobi
refused 2 "unknown method 'rk5' [(]did you mean 'rk4'[?][)]; expected one of: euler, heun" 'a misspelt method' classify --a 1 --gamma -1 --delta 1 --method rk5
refused 2 "unknown method 'mine'; expected one of.*rk4" 'an unknown method, with the known ones' classify --a 1 --gamma -1 --delta 1 --method mine
refused 2 'substeps' 'no micro steps' classify --a 1 --gamma -1 --delta 1 --substeps 0
refused 2 'one number' 'two numbers of micro steps for the simulation' classify --a 1 --gamma -1 --delta 1 --substeps 2,3
refused 2 'four entries' 'a matrix of three entries' classify --matrix 1,2,3 --step 1
refused 2 'positive' 'a step of 0' classify --matrix 1,2,3,4 --step 0
refused 2 'underflows' 'a determinant below the range of doubles' classify --matrix=-1,0,0,-2 --step 1e-170
refused 2 'unknown option --bogus' 'an unknown option' classify --bogus
refused 2 'unknown option --gama=1; did you mean --gamma[?]' 'a misspelt option' classify --a 1 --gama=1
refused 2 'given twice' 'an option twice' classify --a 1 --a 2
refused 2 '--scheme needs a value' 'an option with an empty value' classify --a 1 --gamma -1 --delta 1 --scheme ''
refused 2 'csv, json or md' 'an unknown format' classify --a 1 --gamma -1 --delta 1 --format xml
refused 2 'LO:HI:N' 'a list without a count' area --a 0:1
refused 2 'LO:HI' 'a window upside down' boundary --a 0 --gamma 2:-6
refused 2 "unknown command 'man'; write: costab help --man" 'a document that help prints as an option' help man
refused 2 "unknown command 'clasify' .did you mean 'classify'" 'a misspelt command' clasify
refused 2 "unknown command 'nothing'" 'an unknown command' nothing
refused 2 'command is missing' 'no command'

refused 2 "'all' stands alone" 'all beside another scheme' classify --a 1 --gamma -1 --delta 1 --scheme all,cross

# Numbers that overflow on the way: the exact solution's eigenvalues do not, and what does is unstable, without a number.
run classify --a 0 --gamma -1e308 --delta 1e308 --method exact --scheme simulation
awk -F, 'NR == 2 { exit !($11 == "SS" && $7 > 0.36787944 && $7 < 0.36787945 && $9 == $7) }' out
ok $? 'the exact solution at -1e308: its slow eigenvalue is 1/e'
for method in rk4 gauss2 backward-euler radau2; do
    run classify --a 0 --gamma -1e308 --delta 1e308 --method $method --scheme simulation
    awk -F, 'NR == 2 { exit !($11 == "SU" && $9 ~ /nan|inf/) }' out
    ok $? "$method at -1e308: overflows, unstable, no spectral radius"
done

cat >grid.yaml <<'Y'
system: planar
schemes: [cross]
axes: {a: 0, gamma: [-2, -1], delta: [1, 2]}
fields: [class]
Y
"$costab" sweep - -o in.h5 <grid.yaml 2>err && "$costab" sweep grid.yaml -o named.h5 2>>err &&
    cmp <("$costab" info in.h5 | grep -v '^spec ') <("$costab" info named.h5 | grep -v '^spec ')
ok $? 'a spec from the standard input, with a name for its results'
refused 2 'has no name; give its results one with --output' 'a spec from the standard input without one' sweep - <grid.yaml
[ ! -e ./-.h5 ]
ok $? 'and no file named -.h5'

if [ -w /dev/full ]; then
    "$costab" classify --a 1 --gamma -1 --delta 1 >/dev/full 2>err
    [ $? -eq 1 ] && grep -q 'standard output' err
    ok $? 'a full standard output (exit 1)'
fi
finish
