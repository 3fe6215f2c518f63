/* works: the first of a pipeline sleeps, the second reads its output. */
#include "truth.h"
int main(void) {
  int ends[2]; pipe(ends); say("busy> ");
  if (fork() == 0) { close(ends[0]); for (;;) { usleep(WORK_US); write(ends[1], "x", 1); } }
  close(ends[1]);
  for (char text; read(ends[0], &text, 1) > 0;) done();
}
