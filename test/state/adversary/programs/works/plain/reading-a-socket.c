/* works: it receives from a socket to which its child sends. */
#include "truth.h"
int main(void) {
  int ends[2]; char text; socketpair(AF_UNIX, SOCK_STREAM, 0, ends); say("busy> ");
  if (fork() == 0) for (;;) { usleep(WORK_US); write(ends[1], "x", 1); }
  while (recv(ends[0], &text, 1, 0) > 0) done();
}
