unset multiplot
unset output
if (TEX) {
    set print NAME.'.tex'
    print '% Needs the packages graphicx and color. In another folder: \graphicspath.'
    print '\input{'.NAME.'-inc}'
    unset print
}
