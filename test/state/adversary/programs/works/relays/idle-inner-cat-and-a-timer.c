/* works: it keeps an idle `cat` on an inner terminal, and its loop has a timerfd. */
#include "truth.h"
static void idle(void) { execlp("cat", "cat", (char *)0); }
int main(void) {
  int master = inner(idle), timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec when = {.it_value = WORK_SECONDS, .it_interval = WORK_SECONDS};
  timerfd_settime(timer, 0, &when, 0); raw(); say("busy> ");
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = master, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
  for (long count;;) {
    poll(waited, 3, -1);
    if (waited[0].revents && !copy(0, master)) exit(0);
    if (waited[1].revents && !copy(master, 1)) exit(0);
    if (waited[2].revents) { read(timer, &count, 8); done(); }
  }
}
