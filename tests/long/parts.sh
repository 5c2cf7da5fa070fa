#!/usr/bin/env bash
# Builds without the optional parts (make FMU=0, make PAGES=0): what they do is refused with the reason, everything else works and gives
# the same bytes. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
cd "$work" || exit 1
model=$project/sweeps/findings/models/drive.yaml
cat >fmu.yaml <<'Y'
system: network
parameters: {H: 0.1}
subsystems:
  - {name: a, fmu: mass.fmu, kind: co-simulation, inputs: [u], outputs: [y]}
connections: [{from: a.y, to: a.u}]
coupling: {scheme: jacobi, macro_step: H}
Y
touch mass.fmu system.ssp
for parts in 'FMU=0' 'PAGES=0' 'FMU=0 PAGES=0'; do
    # shellcheck disable=SC2086
    make -s -C "$project" DEPS=skip BUILDDIR="$work/build" WERROR=1 $parts build-all >out 2>err
    ok $? "make $parts: $(tail -n 3 err)"
    costab=$work/build/costab
    "$costab" limit "$model" --over H=0.0005:0.1 >limit.csv 2>err && "$COSTAB" limit "$model" --over H=0.0005:0.1 | cmp -s - limit.csv
    ok $? "$parts: limit"
    "$costab" sweep "$project/sweeps/findings/areas.yaml" -o areas.h5 --force --quiet && "$costab" plot areas.h5 --script-only -o areas.gp --force >out 2>err
    ok $? "$parts: sweep and plot: $(head -n 1 err)"
    if [ "$parts" != PAGES=0 ]; then
        ! ldd "$costab" | grep -qE 'libxml2|libzip'
        ok $? "$parts: neither libxml2 nor libzip is linked"
        "$costab" map fmu.yaml >out 2>err
        [ $? = 2 ] && grep -q '^fmu.yaml:4:.*built without them: build it with make FMU=1' err
        ok $? "$parts: a model with an FMU: $(head -n 1 err)"
        "$costab" import system.ssp -o x.yaml >out 2>err
        [ $? = 2 ] && grep -q 'built without them' err && [ ! -e x.yaml ]
        ok $? "$parts: import: $(head -n 1 err)"
    fi
    if [ "$parts" != FMU=0 ]; then
        for command in "report $model --over H=0.0005:0.1" "plot areas.h5"; do
            # shellcheck disable=SC2086
            "$costab" $command -o page.html >out 2>err
            [ $? = 2 ] && grep -q 'built without pages: build it with make PAGES=1' err && [ ! -e page.html ]
            ok $? "$parts: ${command%% *}: $(head -n 1 err)"
        done
    fi
done
finish
