/* waits: key. It asks anew after each input (EPOLLONESHOT). */
#include "truth.h"
int main(void) {
  raw(); int loop = epoll_create1(0); add(loop, 0, EPOLLIN | EPOLLONESHOT);
  for (struct epoll_event ready;;) {
    say("press> "); epoll_wait(loop, &ready, 1, -1); answer();
    struct epoll_event again = {.events = EPOLLIN | EPOLLONESHOT}; epoll_ctl(loop, EPOLL_CTL_MOD, 0, &again);
  }
}
