/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); int one = epoll_create1(0), two = epoll_create1(0); add(one, 0, EPOLLIN); add(two, one, EPOLLIN);
  for (struct epoll_event ready;;) { say("press> "); epoll_pwait2(two, &ready, 1, 0, 0); answer(); }
}
