/* area/kind.h - the kind of an area: zero (the region is empty), finite or infinite. */
#pragma once

typedef enum area_kind { AREA_ZERO, AREA_FINITE, AREA_INFINITE } area_kind;
