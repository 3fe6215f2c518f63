/* waits: key. It can also wake itself: by a pipe, a pair of sockets, an eventfd, a timer that is not set. */
#include "truth.h"
int main(void) {
  raw(); int loop = epoll_create1(0), ends[2], pair[2];
  pipe(ends); socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  add(loop, 0, EPOLLIN); add(loop, ends[0], EPOLLIN); add(loop, pair[0], EPOLLIN);
  add(loop, eventfd(0, 0), EPOLLIN); add(loop, timerfd_create(CLOCK_MONOTONIC, 0), EPOLLIN);
  for (struct epoll_event ready;;) { say("press> "); epoll_wait(loop, &ready, 1, -1); answer(); }
}
