/* works: one thread reads the terminal, another waits for a timerfd and prints. */
#include "truth.h"
static void *work(void *none) {
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec when = {.it_value = {1, 500000000}, .it_interval = {1, 500000000}};
  timerfd_settime(timer, 0, &when, 0);
  for (;;) { long count; read(timer, &count, 8); say("tick\r\n> "); }
  return none;
}
int main(void) {
  pthread_t thread; pthread_create(&thread, 0, work, 0);
  say("busy> "); char line[100];
  while (read(0, line, 100) != 0) {}
}
