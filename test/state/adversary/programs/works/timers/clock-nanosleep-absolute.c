/* works: a thread sleeps until a time of the clock. */
#include "truth.h"
static void *work(void *none) {
  struct timespec time; clock_gettime(CLOCK_REALTIME, &time);
  for (;;) { time.tv_sec += 2; clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, 0); done(); }
  return none;
}
int main(void) {
  start(work);
  read_on("busy> ");
}
