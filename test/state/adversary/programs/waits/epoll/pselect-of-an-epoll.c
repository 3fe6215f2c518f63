/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); int loop = epoll_create1(0); add(loop, 0, EPOLLIN);
  for (;;) { fd_set set; FD_ZERO(&set); FD_SET(loop, &set); say("press> "); pselect(loop + 1, &set, 0, 0, 0, 0); answer(); }
}
