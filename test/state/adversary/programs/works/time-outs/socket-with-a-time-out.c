/* works: a thread reads one of its own sockets with SO_RCVTIMEO. */
#include "truth.h"
static int ends[2];
static void *work(void *none) { char text; for (;;) { read(ends[0], &text, 1); done(); } return none; }
int main(void) {
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  struct timeval time = {1, 500000};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  start(work);
  read_on("busy> ");
}
