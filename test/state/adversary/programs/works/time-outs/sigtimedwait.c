/* works: a thread waits for a signal, with a time-out. */
#include "truth.h"
static void *work(void *none) {
  sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1);
  struct timespec time = WORK_SECONDS;
  for (;;) { sigtimedwait(&set, 0, &time); done(); }
  return none;
}
int main(void) {
  start(work);
  read_on("busy> ");
}
