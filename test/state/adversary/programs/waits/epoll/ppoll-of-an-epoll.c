/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); int loop = epoll_create1(0); add(loop, 0, EPOLLIN);
  struct pollfd waited = {.fd = loop, .events = POLLIN};
  for (;;) { say("press> "); ppoll(&waited, 1, 0, 0); answer(); }
}
