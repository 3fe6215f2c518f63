/* works: an event loop, and a daemon has the pair of sockets by which it wakes itself. */
#include "truth.h"
static int ends[2];
static void feed(void) { usleep(WORK_US); write(ends[1], "x", 1); }
int main(void) {
  raw(); socketpair(AF_UNIX, SOCK_STREAM, 0, ends); daemon_apart(feed);
  int loop = epoll_create1(0);
  add(loop, 0, EPOLLIN); add(loop, ends[0], EPOLLIN);
  say("busy> ");
  for (struct epoll_event ready;;) {
    char text;
    epoll_wait(loop, &ready, 1, -1);
    if (read(ready.data.fd, &text, 1) <= 0) exit(0);
    if (ready.data.fd == ends[0]) done();
  }
}
