/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); int loop = epoll_create1(0); add(loop, 0, EPOLLIN); sigset_t set; sigemptyset(&set);
  for (struct epoll_event ready;;) { say("press> "); epoll_pwait(loop, &ready, 1, -1, &set); answer(); }
}
