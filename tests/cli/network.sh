#!/usr/bin/env bash
# costab map, limit, simulate, bound: output, messages, exit status. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"

# The value of a row of `map` or `bound` in out: near NAME EXPECTED TOLERANCE
near() {
    awk -F, -v name="$1" -v want="$2" -v tolerance="$3" '$(NF-1) == name { d = $NF - want; if (d < 0) d = -d;
        found = 1; if (d > tolerance) bad = 1 } END { exit !(found && !bad) }' out
}

cat >regulator.yaml <<'YAML'
title: Mass, spring, damper and a speed regulator
system: network
parameters: {m: 2, k: 10, b: 1, KI: -0.1, KP: -0.5, H: 1}
subsystems:
  - name: plant
    A: [[0, 1], [-k/m, -b/m]]
    B: [[0], [1/m]]
    C: [[0, 1]]
    x0: [5, 0]
    inputs: [force]
    outputs: [speed]
    method: euler
    step: 0.01
  - name: regulator
    A: [[KI]]
    B: [[KP]]
    C: [[1]]
    x0: [2]
    inputs: [speed]
    outputs: [force]
    method: heun
    step: 0.1
connections:
  - {from: plant.speed, to: regulator.speed}
  - {from: regulator.force, to: plant.force}
power_bonds: [[plant.force, plant.speed, regulator.speed, regulator.force]]
coupling:
  scheme: jacobi
  macro_step: H
YAML

run map regulator.yaml
[ $? -eq 0 ] && [ "$(head -1 out)" = coupling,name,value ] && near spectral_radius 0.907509147 5e-10 && near size 3 0 &&
    near period 1 0 && grep -qx 'jacobi,class,SS' out && [ "$(grep -c ,eigenvalue, out)" -eq 3 ] &&
    grep -qx 'jacobi,iteration_radius,' out && [ ! -s err ]
ok $? 'map: [SP] example 5'

run map regulator.yaml --coupling all
[ $? -eq 0 ] && [ "$(grep -c ,class, out)" -eq 42 ] && grep -q '^iterated-linear,iteration_radius,0\.' out
ok $? 'map: all couplings side by side'

# one name is one thing: two sweeps are not the iteration to convergence
sed 's/  scheme: jacobi/  scheme: iterated\n  iterations: 2/' regulator.yaml >sweeps.yaml && grep -q 'iterations: 2' sweeps.yaml &&
    "$costab" map sweeps.yaml >own && "$costab" map sweeps.yaml -c iterated >one && "$costab" map sweeps.yaml -c all | grep '^iterated,' >all
[ "$(sed -n 2p own | cut -d, -f1)" = model ] && [ "$(grep -c '^iterated,' one)" -gt 10 ] && grep '^iterated,' one | diff - all &&
    ! cut -d, -f2- own | diff -q - <(cut -d, -f2- one) >/dev/null
ok $? "a model's own sweeps are called model, the converged iteration iterated, whoever asks"

run map regulator.yaml --set H=2 --set KP=-1 --matrix
[ $? -eq 0 ] && [ "$(grep -c ',row ' out)" -eq 3 ] && grep -q 'jacobi,row regulator.x1,' out
ok $? 'map: parameters set, the map itself'

# rows and objects say the same, number for number; the eigenvalues are those of the matrix
run map regulator.yaml --coupling all --matrix --format json && "$costab" map regulator.yaml --coupling all --matrix >rows.csv
/usr/bin/python3 - <<'P'
import csv, json, numpy
maps = json.load(open("out"))
rows = list(csv.DictReader(open("rows.csv")))
assert len(maps) == 42 and len({m["coupling"] for m in maps}) == 42
for m in maps:
    mine = [(r["name"], r["value"]) for r in rows if r["coupling"] == m["coupling"]]
    single = {name: value for name, value in mine if name in m}
    assert {"size", "spectral_radius", "rounding", "class", "period", "iteration_radius"} <= set(single)
    for name, value in single.items():
        assert m[name] == (None if value == "" else value if name == "class" else float(value)), name
    floats = lambda text: [float(x) for x in text.split()]
    assert [floats(v) for n, v in mine if n == "eigenvalue"] == m["eigenvalues"]
    assert [n[4:] for n, v in mine if n.startswith("row ")] == m["state"]
    assert [floats(v) for n, v in mine if n.startswith("row ")] == m["matrix"]
    matrix, found = numpy.array(m["matrix"]), numpy.array(m["eigenvalues"]) @ [1, 1j]
    assert matrix.shape == (m["size"], m["size"]) == (len(m["state"]),) * 2
    assert abs(numpy.poly(found) - numpy.poly(matrix)).max() < 1e-10
P
ok $? 'map: JSON has an object per coupling: numbers, eigenvalues as pairs, the matrix as rows'

refused 2 "no parameter 'KQ'" 'map: unknown parameter' map regulator.yaml --set KQ=1
refused 2 'not a finite number' 'map: a comma in a number' map regulator.yaml --set KP=0,5
refused 2 'NAME=VALUE' 'map: no value' map regulator.yaml --set KP
refused 2 "unknown coupling 'jacoby'; did you mean 'jacobi'[?]" 'map: misspelt coupling' map regulator.yaml --coupling jacoby
refused 2 "unknown coupling 'nobody'; a coupling is jacobi" 'map: unknown coupling' map regulator.yaml --coupling nobody
run map regulator.yaml --set H=0.25
[ $? -eq 2 ] && grep -q 'does not divide the macro step' err
ok $? 'map: steps that do not divide (exit 2)'
refused 2 'cannot be opened' 'map: no such file' map nothing.yaml
refused 2 'MODEL is missing' 'map: no model' map

run limit regulator.yaml --over H=0.1:5
[ $? -eq 0 ] && [ "$(head -1 out)" = coupling,parameter,lower,upper,class,lower_kind,upper_kind,lower_cause,lower_frequency,lower_subsystem,upper_cause,upper_frequency,upper_subsystem ] &&
    grep -q '^jacobi,H,0.1,5,SS,range,range,' out && grep -q 'each of the 50 values at which every subsystem takes a whole number of micro steps between exchanges' err
ok $? 'limit: the macro step over multiples of the micro steps'

sed 's/step: 0.01/substeps: 100/; s/step: 0.1/substeps: 10/' regulator.yaml >substeps.yaml
run limit substeps.yaml --over KP=-20:20 --coupling jacobi,iterated
[ $? -eq 0 ] && [ ! -s err ] && grep -q '^iterated,KP,' out && grep -q '^jacobi,KP,' out
ok $? 'limit: any parameter, two couplings'

cat >example4.yaml <<'YAML'
system: network
parameters: {H: 0.5}
subsystems:
  - {name: one, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: 2, x0: [5]}
  - {name: two, A: [[0.1]], B: [[-1]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: 2, x0: [2]}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {macro_step: H}
YAML
run limit example4.yaml --over H=0.01:3
[ $? -eq 0 ] && awk -F, 'NR == 2 { d = $4 - 0.894046816726; exit !(d < 1e-11 && d > -1e-11) }' out && [ "$(wc -l <out)" -eq 2 ]
ok $? 'limit: [SP] example 4, two micro steps, to 1e-11'
refused 2 'NAME=LO:HI' 'limit: a reversed range' limit example4.yaml --over H=3:1
refused 2 '--over is missing' 'limit: no range' limit example4.yaml

run simulate regulator.yaml --until 3
[ $? -eq 0 ] && [ "$(head -1 out)" = t,subsystem,signal,point,value,monolithic ] &&
    grep -qx '0,plant,x1,communication,5,5' out && [ "$(grep -c ',plant,x1,local,' out)" -eq 300 ] &&
    [ "$(grep -c ',bond1.power,communication,' out)" -eq 3 ] && [ "$(grep -c ',regulator,force,communication,' out)" -eq 4 ]
ok $? 'simulate: rows of states, ports and bonds'

run simulate example4.yaml --until 2000 --set H=3
[ $? -eq 1 ] && grep -q 'diverged after [0-9]* macro steps' err && [ "$(wc -l <out)" -gt 100 ]
ok $? 'simulate: a run that blows up keeps its rows (exit 1)'
refused 2 '--until is missing' 'simulate: no end' simulate example4.yaml
refused 2 'one coupling, not 42' 'simulate: one coupling only' simulate example4.yaml --until 1 --coupling all

cat >clocks.yaml <<'YAML'
system: network
parameters: {Td: 2.1}
subsystems:
  - {name: one, A: [[-2]], B: [[1, 0]], C: [[1]], inputs: [u, spare], outputs: [y], method: euler, step: 1, x0: [5]}
  - {name: two, A: [[-1.5]], B: [[0.5]], C: [[1]], inputs: [u], outputs: [y], method: euler, step: 4/3, x0: [2]}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling:
  - {name: exactly, macro_step: Td, micro_steps: clocks}
  - {name: paper, macro_step: Td, micro_steps: real-power}
YAML
run map clocks.yaml --coupling exactly
[ $? -eq 0 ] && near period 40 0 && near spectral_radius 1 1e-13 && grep -qx 'exactly,class,SN' out &&
    grep -q 'warning: nothing feeds the input one.spare' err
ok $? 'map: [SP] example 2 by its own clocks: period 40, bounded but not stable; a warning'
run map clocks.yaml --coupling paper --matrix
[ $? -eq 0 ] && near spectral_radius 0.987672450 5e-10 && grep -q 'paper,imaginary two.x1,' out
ok $? 'map: [SP] example 2 by complex powers, as printed'
run simulate clocks.yaml --until 9 --coupling paper
[ $? -eq 2 ] && grep -q 'cannot be simulated; take clocks' err
ok $? 'simulate: no real powers (exit 2)'
run simulate clocks.yaml --until 84 --coupling exactly
[ $? -eq 0 ] && [ "$(grep -c ',one,x1,local,' out)" -eq 84 ] && [ "$(grep -c ',two,x1,local,' out)" -eq 63 ]
ok $? 'simulate: own clocks'

cat >cubic.yaml <<'YAML'
system: network
parameters: {m: 2, k: 10, b: 1, KI: -0.1, KP: -0.5, H: 0.078, x01: 5}
subsystems:
  - name: plant
    states: [x, v]
    f: [v, (F - b*v - k*x^3)/m]
    g: [v]
    operating_point: {x: x01, v: 0}
    x0: [5, 0]
    inputs: [F]
    outputs: [speed]
    method: euler
    step: 0.0013
  - {name: regulator, A: [[KI]], B: [[KP]], C: [[1]], x0: [2], inputs: [s], outputs: [f], method: heun, step: 0.026}
connections: [{from: plant.speed, to: regulator.s}, {from: regulator.f, to: plant.F}]
coupling: {macro_step: H}
YAML
run map cubic.yaml
[ $? -eq 0 ] && near spectral_radius 1.000014966 5e-10
ok $? 'map: [SP] example 6, a nonlinear spring at its operating point'
run limit cubic.yaml --over x01=0.1:10
[ $? -eq 0 ] && awk -F, 'NR == 2 { d = $4 - 4.998006944; exit !(d < 5e-10 && d > -5e-10) }' out
ok $? 'limit: [SP] example 6 over its operating point'

cat >mass.yaml <<'YAML'
system: network
parameters: {R: 5, T: 0.1}
subsystems:
  - {name: plant, A: [[0]], B: [[1]], C: [[1]], inputs: [v], outputs: [x], method: exact, substeps: 100, x0: [1]}
  - {name: controller, A: [[-R]], B: [[-5]], C: [[1]], inputs: [x], outputs: [v], method: exact, substeps: 100, x0: [1]}
connections: [{from: plant.x, to: controller.x, delay: 1}, {from: controller.v, to: plant.v, delay: 1}]
coupling: {macro_step: T}
YAML
run bound mass.yaml --error 0.5 --at 0.1,0.15,0.2 --horizon 2
[ $? -eq 0 ] && near 'M_f plant' 1 1e-12 && near 'M_f controller' 10 1e-12 && near macro_step 0.035093120 5e-10 &&
    near 'error at 0.1' 0.3548 5e-5 && near 'error at 0.2' 0.7501 5e-5
ok $? 'bound: [MS] section 5 with R = 5'
near max_stable_step 0.4359846404 1e-10 && near error_at_macro_step 0.111076648 1e-9 && near macro_step_actual 0.1367076691 1e-10 &&
    ! grep -q warning err
ok $? 'bound: what holds of the step, which is safe here'
if [ "$(stride 2)" = 1 ]; then # these take long
    run bound mass.yaml --error 0.5 --set R=0.5
    [ $? -eq 0 ] && near macro_step 0.0576178180 1e-10 && near max_stable_step 0.0335791835 1e-10 &&
        near error_at_macro_step 971780.73 1e-2 && near macro_step_actual 0.0139012773 1e-10 &&
        grep -q 'warning: macro_step 0.0576178 is larger than max_stable_step 0.0335791' err &&
        grep -q 'warning: macro_step 0.0576178 is larger than macro_step_actual 0.0139012' err
    ok $? 'bound: [MS] (31) allows an unstable step with R = 0.5; bound says so'
    sed 's/substeps: 100/step: 0.2/; s/T: 0.1/T: 0.2/' mass.yaml >coarse.yaml && run bound coarse.yaml --error 0.5
    [ $? -eq 0 ] && grep -qx 'macro_step_actual,0' out && grep -q 'macro_step_actual is 0: the smallest macro step from 0.000350931 on makes a larger' err
    ok $? 'bound: where the smallest macro step makes too large an error that is said'
fi
run bound mass.yaml --error 5 --set R=2 --printed
[ $? -eq 0 ] && near 'M_f plant' 1.384405956 5e-10 && near macro_step 1.055 5e-4
ok $? 'bound: the printed recipe with R = 2'
run bound mass.yaml --error 1e-9
[ $? -eq 0 ] && grep -qx 'error_at_macro_step,' out && grep -qx 'macro_step_actual,' out && near max_stable_step 2.1e-9 1e-10 &&
    grep -q 'note: error_at_macro_step was not measured' err && grep -q 'note: macro_step_actual was not looked for' err
ok $? 'bound: a macro step with too many runs up to the horizon is not measured, and bound says so'
refused 2 '--error is missing' 'bound: no error' bound mass.yaml
refused 2 'ends in none of' 'limit: neither a table nor a results file' limit mass.yaml --over T=0.1:1 -o limit.mat
refused 2 'is negative' 'simulate: a time before the start' simulate mass.yaml --until -1
printf 'system: planar\nschemes: all\naxes: {a: [0, 1], gamma: [-2, -1], delta: [1, 2]}\nfigure: {kind: [regions, comparison], panels: a}\n' >kinds.yaml
"$costab" sweep kinds.yaml >out 2>err; [ $? -eq 2 ] && [ "$(grep -c 'several values of scheme' err)" -eq 1 ]
ok $? 'sweep: what is wrong for several kinds of figures is said once'
refused 2 'not positive' 'bound: a horizon of 0' bound mass.yaml --error 0.5 --horizon 0
sed 's/x0: [^]]*]/x0: [0]/' mass.yaml >rest.yaml && run bound rest.yaml --error 0.5 && grep -qx 'macro_step,inf' out && grep -q 'leave it at rest' err
ok $? 'bound: a system at rest makes no error'
printf 'system: network\nsubsystems: [{name: a, A: [[-1]], substeps: 1}]\ncoupling: {macro_step: 1}\n' >alone.yaml
refused 2 'two subsystems' 'bound: one subsystem' bound alone.yaml --error 1
refused 2 'a bound has one coupling, not 2' 'bound: two couplings' bound mass.yaml --error 0.5 -c jacobi,newton
for at in 0 -1 1e9; do
    refused 2 'is not above 0 and at most the horizon' "bound: --at $at" bound mass.yaml --error 0.5 --at "0.1,$at"
done
refused 2 'before the end of the shortest macro step, 0.1 s' 'advise: --until 0.05' advise mass.yaml --over T=0.1:1 --error 1e-3 --until 0.05

finish
