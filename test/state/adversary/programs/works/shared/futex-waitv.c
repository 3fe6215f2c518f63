/* works: a thread waits for several futexes in shared memory, one of which a daemon wakes. */
#include "truth.h"
static int *word;
static void wake(void) { usleep(WORK_US); ++*word; futex(word, FUTEX_WAKE, 1, 0); }
static void *work(void *none) {
  for (;;) {
    struct futex_waitv all = {.val = *word, .uaddr = (long)word, .flags = FUTEX_32};
    syscall(449, &all, 1, 0, 0, 0); done();
  }
  return none;
}
int main(void) {
  word = shared_memory();
  daemon_apart(wake); start(work);
  read_on("busy> ");
}
