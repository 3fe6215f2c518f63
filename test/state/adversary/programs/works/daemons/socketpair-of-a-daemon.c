/* works: it holds both sockets of the pair, but a daemon has them too. */
#include "truth.h"
static int ends[2];
static void feed(void) { usleep(WORK_US); write(ends[1], "x", 1); }
static void *work(void *none) { char text; while (read(ends[0], &text, 1) > 0) done(); return none; }
int main(void) {
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends); daemon_apart(feed); start(work);
  read_on("busy> ");
}
