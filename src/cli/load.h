/* cli/load.h - SIGINT while the program is loaded. */
#pragma once

/* Gives SIGINT back what it did when the program was started. To be called first in main. */
void load_end(void);
