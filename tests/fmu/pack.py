#!/usr/bin/env python3
"""pack.py VERSION DESCRIBE PROGRAM OUT.fmu: an FMU of what the program DESCRIBE prints, and of a shared library."""
import subprocess
import sys
import zipfile

version, describe, program, out = sys.argv[1:]
folder = {"2": "linux64", "3": "x86_64-linux"}[version]
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("modelDescription.xml", subprocess.run([describe], capture_output=True, check=True).stdout)
    archive.write(program, f"binaries/{folder}/model.so")
    archive.writestr("resources/data.txt", "data\n")
