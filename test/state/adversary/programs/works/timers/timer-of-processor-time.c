/* works: it reads the terminal, a thread computes, and a timer of processor time prints. */
#include "truth.h"
static void ring(int signal) { done(); }
static void *burn(void *none) { for (volatile long at = 0;; at++); return none; }
int main(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  signal(SIGUSR1, ring);
  timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
  struct itimerspec when = {.it_value = WORK_SECONDS, .it_interval = WORK_SECONDS};
  timer_settime(timer, 0, &when, 0);
  start(burn);
  read_on("busy> ");
}
