/* waits: line. The reader has called setsid, and its parent reads its output by a pipe. */
#include "truth.h"
int main(void) {
  int ends[2]; char text; pipe(ends);
  if (fork() == 0) { close(ends[0]); setsid(); say("name> "); while (read(0, &text, 1) > 0) write(ends[1], &text, 1); _exit(0); }
  close(ends[1]);
  while (read(ends[0], &text, 1) > 0) write(1, &text, 1);
}
