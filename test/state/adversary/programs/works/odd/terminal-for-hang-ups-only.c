/* works: the terminal is in its epoll only for the end; a child writes to its pipe. */
#include "truth.h"
int main(void) {
  int ends[2], loop = epoll_create1(0); char text; pipe(ends); say("busy> ");
  if (fork() == 0) for (;;) { usleep(WORK_US); write(ends[1], "x", 1); }
  add(loop, 0, EPOLLRDHUP); add(loop, ends[0], EPOLLIN);
  for (struct epoll_event ready;;) { epoll_wait(loop, &ready, 1, -1); if (ready.data.fd == 0) exit(0); read(ends[0], &text, 1); done(); }
}
