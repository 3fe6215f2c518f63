/* works: a thread sleeps until a time of a clock that is rarely used. */
#include "truth.h"
static void *work(void *none) {
  struct timespec time; clock_gettime(CLOCK_BOOTTIME, &time);
  for (;;) { time.tv_sec += 2; clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, 0); done(); }
  return none;
}
int main(void) {
  start(work);
  read_on("busy> ");
}
