/* works: an event loop with a timerfd. */
#include "truth.h"
int main(void) {
  raw(); say("busy> ");
  int timer = timerfd_create(CLOCK_MONOTONIC, 0), loop = epoll_create1(0);
  struct itimerspec when = {.it_value = WORK_SECONDS, .it_interval = WORK_SECONDS};
  timerfd_settime(timer, 0, &when, 0);
  add(loop, 0, EPOLLIN); add(loop, timer, EPOLLIN);
  for (struct epoll_event ready;;) {
    long count;
    epoll_wait(loop, &ready, 1, -1);
    if (ready.data.fd == timer) { read(timer, &count, 8); done(); } else answer();
  }
}
