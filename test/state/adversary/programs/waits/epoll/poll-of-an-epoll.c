/* waits: key. It polls an epoll descriptor that holds the terminal (racket). */
#include "truth.h"
int main(void) {
  raw();
  int outer = epoll_create1(0);
  add(outer, 0, EPOLLIN);
  struct pollfd waited = {.fd = outer, .events = POLLIN};
  for (;;) { say("press> "); poll(&waited, 1, -1); answer(); }
}
