/* waits: key. Only changes wake it (EPOLLET). */
#include "truth.h"
int main(void) {
  raw(); int loop = epoll_create1(0); add(loop, 0, EPOLLIN | EPOLLET);
  for (struct epoll_event ready;;) { say("press> "); epoll_wait(loop, &ready, 1, -1); answer(); }
}
