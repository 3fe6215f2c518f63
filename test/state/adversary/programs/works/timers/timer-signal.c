/* works: it reads the terminal, and a timer's signal makes it print. */
#include "truth.h"
static void ring(int signal) { done(); }
int main(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  signal(SIGUSR1, ring);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  struct itimerspec when = {.it_value = WORK_SECONDS, .it_interval = WORK_SECONDS};
  timer_settime(timer, 0, &when, 0);
  read_on("busy> ");
}
