/* works: it waits for the terminal, with a time-out, and then prints. */
#include "truth.h"
int main(void) {
  raw(); say("busy> ");
  int loop = epoll_create1(0); add(loop, 0, EPOLLIN);
  for (struct epoll_event ready;;) if (epoll_wait(loop, &ready, 1, 1500) == 0) done(); else answer();
}
