/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); int loop = epoll_create1(0); add(loop, 0, EPOLLIN);
  for (struct epoll_event ready;;) { say("press> "); epoll_pwait2(loop, &ready, 1, 0, 0); answer(); }
}
