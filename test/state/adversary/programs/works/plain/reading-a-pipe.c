/* works: it reads a pipe to which its child writes. */
#include "truth.h"
int main(void) {
  int ends[2]; char text; pipe(ends); say("busy> ");
  if (fork() == 0) for (;;) { usleep(WORK_US); write(ends[1], "x", 1); }
  while (read(ends[0], &text, 1) > 0) done();
}
