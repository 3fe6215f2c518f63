/* waits: key. An epoll descriptor within an epoll descriptor. */
#include "truth.h"
int main(void) {
  raw();
  int inner = epoll_create1(0), outer = epoll_create1(0);
  add(inner, 0, EPOLLIN);
  add(outer, inner, EPOLLIN);
  struct epoll_event event;
  for (;;) { say("press> "); epoll_wait(outer, &event, 1, -1); answer(); }
}
