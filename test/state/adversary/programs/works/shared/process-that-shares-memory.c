/* works: a process that is no thread, but shares all memory (CLONE_VM), wakes a private futex. */
#include "truth.h"
static int word;
static int wake(void *none) { setsid(); for (;;) { usleep(WORK_US); word++; futex(&word, FUTEX_WAKE_PRIVATE, 1, 0); } }
static void *work(void *none) { for (;;) { futex(&word, FUTEX_WAIT_PRIVATE, word, 0); done(); } return none; }
int main(void) {
  static char stack[65536];
  clone(wake, stack + 65536, CLONE_VM | SIGCHLD, 0);
  start(work);
  read_on("busy> ");
}
