/* waits: key. */
#include "truth.h"
int main(void) {
  raw();
  int outer = epoll_create1(0);
  add(outer, 0, EPOLLIN);
  for (;;) {
    fd_set set; FD_ZERO(&set); FD_SET(outer, &set);
    say("press> "); select(outer + 1, &set, 0, 0, 0); answer();
  }
}
