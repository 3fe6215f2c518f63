/* works: it reads the terminal, and a thread of a timer prints by itself. */
#include "truth.h"
static void ring(union sigval value) { (void)value; say("done\r\n> "); }
int main(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  struct itimerspec when = {.it_value = {1, 500000000}, .it_interval = {1, 500000000}};
  timer_settime(timer, 0, &when, 0);
  say("busy> "); char line[100];
  while (read(0, line, 100) != 0) {}
}
