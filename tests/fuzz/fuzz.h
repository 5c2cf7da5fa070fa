/* fuzz.h - a harness gives one input to one reader and checks what is promised of the outcome; a crash, a
 * sanitizer's report or a broken promise ends the program. libFuzzer makes inputs, replay.c those on disk. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
