/* base/lanes_end.h - what a kernel's template ends with: the names are free for the next instruction set,
 * which LANE_WIDTH tells. */
#undef VECTOR
#undef MASK
#undef WHOLE
#undef BITS
#undef GET
#undef AT
#undef ALL
#undef LANE
#undef NOT
#undef LANE_STEP
#undef LANE_FUNCTION
#undef LANE_INLINE
#undef LANE_NAME
#undef LANE_TARGET
