/* cli/load.h - SIGINT while the program is loaded (load.c). */
#pragma once

/* Restores the action of SIGINT at the start of the program. main calls it first. */
void load_end(void);
