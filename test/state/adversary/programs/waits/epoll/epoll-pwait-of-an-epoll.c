/* waits: key. Three epoll descriptors, one within the other. */
#include "truth.h"
int main(void) {
  raw(); int one = epoll_create1(0), two = epoll_create1(0), three = epoll_create1(0);
  add(one, 0, EPOLLIN); add(two, one, EPOLLIN); add(three, two, EPOLLIN);
  for (struct epoll_event ready;;) { say("press> "); epoll_pwait(three, &ready, 1, -1, 0); answer(); }
}
