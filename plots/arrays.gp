array CAPTION[PANELS]
array CAPTION_LINES[PANELS]
array XMIN[PANELS]; array XMAX[PANELS]; array XLOG[PANELS]; array XTICS[PANELS]; array XLABEL[PANELS]
array YMIN[PANELS]; array YMAX[PANELS]; array YLOG[PANELS]; array YTICS[PANELS]; array YLABEL[PANELS]; array YTURN[PANELS]
array FILLS[PANELS + 1]; array HATCHES[PANELS + 1]; array CURVES[PANELS + 1]; array POINTS[PANELS + 1]
# Notes: texts at a place of a panel, centred (side 0) or ending (-1) or beginning (1) there.
if (NOTES > 0) {
    array NOTE[NOTES]; array NOTE_PANEL[NOTES]; array NOTE_X[NOTES]; array NOTE_Y[NOTES]
    array NOTE_SIDE[NOTES]; array NOTE_BOX[NOTES]; array NOTE_SIZE[NOTES]
}
# The legend's texts, and where they are, in cm from the lower left corner.
if (LEGEND > 0) {
    array LEGEND_TEXT[LEGEND]; array LEGEND_X[LEGEND]; array LEGEND_Y[LEGEND]; array LEGEND_CENTRED[LEGEND]
}
