/* works: a thread reads a socket whose other end a child in another session has. */
#include "truth.h"
static int ends[2];
static void feed(void) { for (;;) { usleep(WORK_US); write(ends[1], "x", 1); } }
static void *work(void *none) { char text; while (read(ends[0], &text, 1) > 0) done(); return none; }
int main(void) {
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends); child_apart(feed); close(ends[1]); start(work);
  read_on("busy> ");
}
