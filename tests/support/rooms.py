"""The table of rooms in src/README.md: the rooms, the ground floor first, and those that each may use."""
import re

from tap import ROOT

_ROW = re.compile(r"^\| ([a-z]\w*) \|[^|]*\| ([a-z, -]+) \|$", re.M)
ROOMS = {room: set(re.findall(r"\w+", uses)) for room, uses in _ROW.findall((ROOT / "src/README.md").read_text()) if room != "room"}
