"""The network charts of sweeps/ over two axes, as specs of any size that stand alone."""
import os
import re

SWEEPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sweeps")


def network_charts():
    """(name, text) of every network sweep over two ranges; name: folder/file without its ending."""
    for source in sorted(os.listdir(SWEEPS)):
        folder = os.path.join(SWEEPS, source)
        for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if not file.endswith(".yaml"):
                continue
            with open(os.path.join(folder, file), encoding="utf-8") as spec:
                text = spec.read()
            if re.search(r"^system: network", text, re.M) and len(re.findall(r"points: *[0-9]+", text)) == 2:
                yield f"{source}/{file[:-5]}", re.sub(r"^model: *", f"model: {os.path.abspath(folder)}/", text, flags=re.M)


def classes_only(text, points, refine=None):
    """The chart's classes on points x points points; refine: the key's value."""
    lines = [line for line in re.sub(r"points: *[0-9]+", f"points: {points}", text).splitlines()
             if not re.match(r"(fields|best|figure|history|refine):| *\w+: \{uncertain:", line)]
    return "\n".join(lines + ["fields: [class]"] + ([f"refine: {refine}"] if refine else [])) + "\n"
