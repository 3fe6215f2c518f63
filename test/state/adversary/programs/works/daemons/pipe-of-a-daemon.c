/* works: a daemon writes to the pipe. */
#include "truth.h"
static int ends[2];
static void feed(void) { usleep(WORK_US); write(ends[1], "x", 1); }
static void *work(void *none) { char text; while (read(ends[0], &text, 1) > 0) done(); return none; }
int main(void) {
  pipe(ends); daemon_apart(feed); close(ends[1]); start(work);
  read_on("busy> ");
}
