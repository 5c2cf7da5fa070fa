/* costab/look.h - how a figure looks on paper, whatever it draws: what the key `figure` of planar sweeps and
 * of networks have in common. */
#ifndef COSTAB_LOOK_H
#define COSTAB_LOOK_H

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Colours of a figure: Okabe and Ito's; greys, lines and hatches darker than the colours were; or greys with
 * black lines and hatches. */
typedef enum costab_colours {
    COSTAB_COLOURS_COLOUR,
    COSTAB_COLOURS_GREY,
    COSTAB_COLOURS_BLACK,
    COSTAB_COLOURS_COUNT
} costab_colours;

#define COSTAB_FONT_MAX 64

/* How a figure looks, whatever it draws. */
typedef struct costab_look {
    double width_cm; /* of the whole figure; 0: chosen */
    double height_cm;
    int columns;                /* panels side by side; 0: chosen from their number */
    char font[COSTAB_FONT_MAX]; /* "": Helvetica or what stands in for it */
    double font_size;           /* pt on paper; 0: 8 */
    costab_colours colours;
    bool plain;  /* no hatching */
    char *title; /* "": none; NULL: the sweep's. Owned by whoever owns the figure */
} costab_look;

/* "colour", "grey", "black"; NULL outside the range. */
COSTAB_API const char *costab_colours_name(costab_colours colours);

#ifdef __cplusplus
}
#endif
#endif
