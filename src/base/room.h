/* base/room.h - room for what one thread allocates for a while (base/memory.h), in one large page. The system
 * gives memory by pages, each when it is first touched: a small one, of 4 KiB, costs some 2 us, a large one,
 * of 2 MiB, no more than 20 to 30 of these. */
#ifndef BASE_ROOM_H
#define BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the room of the calling thread; where it is open, or the system knows no large pages, nothing
 * happens. Where the system knows them and has none to give, the room has small ones. */
void room_open(void);
/* Gives it back, when no block is left in it. */
void room_close(void);

/* A block in the calling thread's room, aligned as those of malloc, its bytes 0 if they are to be; NULL where
 * it has no room. */
void *room_take(size_t bytes, bool zero);
/* Whether a block is in the calling thread's room, and for how many bytes it has room there. */
bool room_has(const void *block, size_t *bytes);
/* Frees a block that is in it. Its place is used again when no block behind it is left. */
void room_leave(void *block);

#endif
