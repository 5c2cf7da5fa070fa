"""Systems of FMUs (SSP) that tests write: parts of a SystemStructure.ssd as text, and archives of them."""
import io
import os
import pathlib
import subprocess
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
SPACES = ('xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" '
          'xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"')
def connector(name, kind, unit=""):
    return f'<ssd:Connector name="{name}" kind="{kind}"><ssc:Real{unit}/></ssd:Connector>'


def values(**named):
    rows = "".join(f'<ssv:Parameter name="{n.replace("__", ".")}"><ssv:Real value="{v}"/></ssv:Parameter>' for n, v in named.items())
    return f'<ssv:ParameterSet version="1.0" name="p" {SPACES}><ssv:Parameters>{rows}</ssv:Parameters></ssv:ParameterSet>'


def binding(inner, attributes=""):
    return f"<ssd:ParameterBindings><ssd:ParameterBinding{attributes}>{inner}</ssd:ParameterBinding></ssd:ParameterBindings>"


def inline(**named):
    return binding(f"<ssd:ParameterValues>{values(**named)}</ssd:ParameterValues>")


def component(name, source, connectors, more="", attributes=""):
    return (f'<ssd:Component name="{name}" source="{source}" type="application/x-fmu-sharedlibrary"{attributes}>'
            f"<ssd:Connectors>{connectors}</ssd:Connectors>{more}</ssd:Component>")


def connection(source, target, inner="", attributes=""):
    ends = ""
    for end, which in ((source, "start"), (target, "end")):
        element, _, name = end.rpartition(".")
        ends += (f' {which}Element="{element}"' if element else "") + f' {which}Connector="{name}"'
    return f"<ssd:Connection{ends}{attributes}>{inner}</ssd:Connection>"


MASS = connector("force", "input") + connector("position", "output") + connector("speed", "output")
COUPLED = connector("position", "input") + connector("speed", "input") + connector("reaction", "output")
TIES = connection("a.position", "b.position") + connection("a.speed", "b.speed") + connection("b.reaction", "a.force")
KINDS = {"ModelExchange": ' implementation="ModelExchange"', "CoSimulation": ' implementation="CoSimulation"', "any": ""}


def system(elements, ties, more="", units="", experiment=' stepSize="0.05"'):
    return (f'<?xml version="1.0"?><ssd:SystemStructureDescription version="1.0" name="two masses" {SPACES}>{units}'
            f'<ssd:System name="top">{more}<ssd:Elements>{elements}</ssd:Elements><ssd:Connections>{ties}</ssd:Connections></ssd:System>'
            f'<ssd:DefaultExperiment startTime="0" stopTime="1"{experiment}/></ssd:SystemStructureDescription>')


def two(kind, a="", b="", ties=TIES, **more):
    parts = component("a", "resources/mass.fmu", MASS, a or inline(m=1.5, k=12, x=0, steps=30), KINDS[kind])
    return system(parts + component("b", "resources/coupled.fmu", COUPLED, b or inline(steps=30), KINDS[kind]), ties, **more)


def fmu(name):
    """An FMU of tests/fmu, such as mass-2, which make builds where it is not there yet."""
    path = FMUS / f"{name}.fmu"
    if not path.exists():
        subprocess.run(["make", "-s", "-C", str(ROOT), f"build/tests/fmu/{name}.fmu"], check=True, stdout=subprocess.DEVNULL)
    return path


def mapping(*entries):
    """A ParameterMapping of (source, target[, what stands in the entry[, attributes]])."""
    rows = "".join(f'<ssm:MappingEntry source="{e[0]}" target="{e[1]}"{e[3] if len(e) > 3 else ""}>{e[2] if len(e) > 2 else ""}</ssm:MappingEntry>'
                   for e in entries)
    return f'<ssm:ParameterMapping xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping" version="1.0" {SPACES}>{rows}</ssm:ParameterMapping>'


def enlarged(source, files, changed=None, edit=None):
    """The bytes of an archive with more files in it, and with one that `edit` has changed."""
    whole = io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        entries = {name: old.read(name) for name in old.namelist()}
        if changed is not None:
            entries[changed] = edit(entries[changed].decode()).encode()
        for name, content in (entries | files).items():
            archive.writestr(name, content)
    return whole.getvalue()


def pack(path, ssd, inside=None, more=None, second="coupled-3", **files):
    """An .ssp of the two FMUs and this .ssd; `files`: sets of values beside it; `more`: other files by their paths; `inside`: such
    files in the first FMU."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("SystemStructure.ssd", ssd)
        archive.writestr("resources/mass.fmu", fmu("mass-2").read_bytes() if inside is None else enlarged(fmu("mass-2"), inside))
        archive.write(fmu(second), "resources/coupled.fmu")
        for file, content in files.items():
            archive.writestr(f"extra/{file}.ssv", content)
        for file, content in (more or {}).items():
            archive.writestr(file, content)
    return path
