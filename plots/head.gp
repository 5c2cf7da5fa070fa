#
# A script for gnuplot 5.2 or newer. It draws the data file beside it; run it in its own folder:
#
#     gnuplot THIS.gp                    the PDF
#     gnuplot -e "FMT='png'" THIS.gp     pdf, png, svg, tex or eps
#
# For LaTeX, \input the .tex file: it reads the two files with -inc in their names.

if (!exists("FMT")) FMT = 'pdf'
