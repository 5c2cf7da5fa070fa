unset multiplot
unset output
if (TEX) {
    set print NAME.'.tex'
    print '% Needs the packages graphicx, color and calc. In another folder: \graphicspath.'
    print sprintf('\begingroup\fontsize{%g}{%g}\selectfont', FONTSIZE, 1.2*FONTSIZE)
    print '\input{'.NAME.'-inc}'
    print '\endgroup'
    unset print
}
