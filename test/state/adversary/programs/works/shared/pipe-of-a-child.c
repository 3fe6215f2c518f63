/* works: a thread reads a pipe from a child that sleeps in the foreground. */
#include "truth.h"
static int ends[2];
static void *work(void *none) { char text; while (read(ends[0], &text, 1) > 0) done(); return none; }
int main(void) {
  pipe(ends);
  if (fork() == 0) for (;;) { usleep(WORK_US); write(ends[1], "x", 1); }
  close(ends[1]); start(work);
  read_on("busy> ");
}
