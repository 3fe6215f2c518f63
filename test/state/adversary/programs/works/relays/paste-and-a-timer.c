/* works: it has begun to read a line (bracketed paste), but a timer of its loop still has to print. */
#include "truth.h"
int main(void) {
  raw(); say("\33[?2004hbusy> ");
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec when = {.it_value = WORK_SECONDS, .it_interval = WORK_SECONDS};
  timerfd_settime(timer, 0, &when, 0);
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
  for (long count;;) {
    poll(waited, 2, -1);
    if (waited[0].revents) answer();
    if (waited[1].revents) { read(timer, &count, 8); done(); }
  }
}
