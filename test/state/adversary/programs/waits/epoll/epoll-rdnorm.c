/* waits: key. */
#include "truth.h"
int main(void) {
  raw();
  int outer = epoll_create1(0);
  add(outer, 0, EPOLLRDNORM);
  struct epoll_event event;
  for (;;) { say("press> "); epoll_wait(outer, &event, 1, -1); answer(); }
}
