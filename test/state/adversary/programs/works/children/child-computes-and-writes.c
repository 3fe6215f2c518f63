/* works: it reads the terminal, and a child in its group computes and writes to its pipe. */
#include "truth.h"
static int ends[2];
static void *work(void *none) { char text; while (read(ends[0], &text, 1) > 0) done(); return none; }
int main(void) {
  pipe(ends);
  if (fork() == 0) for (volatile long at = 0;; at++) if (at % 1000000000 == 999999999) write(ends[1], "x", 1);
  close(ends[1]); start(work);
  read_on("busy> ");
}
