#!/usr/bin/env python3
"""The code of the float fields' kernels. A build with gcc and -O3 for x86-64 Linux holds each of them for AVX2 and for AVX-512,
and there objdump must show packed arithmetic on ymm and zmm registers and nowhere a fused multiply-add. Prints TAP."""
import platform
import re
import subprocess

from tap import COSTAB, costab, finish, ok, skip

KERNELS = {
    "co-simulations": "trace_row determinant_row radius_row",
    "simulation, explicit": "polynomial_trace plain_determinant radius_block",
    "simulation, implicit": "affine_block quotient_trace quotient_determinant divide_block micro_block",
    "simulation, micro steps": "excess_block divided_excess_block determinant_block compose_block square_block trace_block",
}
ARITHMETIC = re.compile(r"\bv(?:add|sub|mul|div)pd\b.*%(ymm|zmm)")


def clones(code):
    """Of each clone in the program's disassembled code the registers of its packed arithmetic, and whether it fuses."""
    found, name = {}, None
    for line in code.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if head:
            clone = re.match(r"(\w+)\.(avx2|avx512f)\b", head[1])
            name = clone and clone.groups()
            if name:
                found[name] = [set(), False]
        elif name:
            packed = ARITHMETIC.search(line)
            if packed:
                found[name][0].add(packed[1])
            found[name][1] |= bool(re.search(r"\bvfn?m(?:add|sub)", line))
    return found


def main():
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", COSTAB], check=True, capture_output=True, text=True).stdout
    found = clones(code)
    for group, names in KERNELS.items():
        for level, register in (("avx2", "ymm"), ("avx512f", "zmm")):
            missing = [n for n in names.split() if register not in found.get((n, level), [()])[0]]
            ok(not missing, f"{group}: packed arithmetic on {register} registers", "not in " + ", ".join(missing))
    fused = [name for name, clone in found.items() if clone[1]]
    ok(found and not fused, f"no fused multiply-add in {len(found)} clones", *fused)


version = costab("--version").stdout
if platform.system() == "Linux" and platform.machine() == "x86_64" and ", gcc " in version and " -O3 " in version and "-fsanitize" not in version:
    main()
else:
    skip("packed arithmetic without fusing", "no build with gcc -O3 for x86-64 Linux")
finish()
