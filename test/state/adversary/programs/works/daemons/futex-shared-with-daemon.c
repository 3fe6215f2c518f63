/* works: a thread waits for a futex that a process which is no descendant any more wakes. */
#include "truth.h"
static int *word;
static void wake(void) { usleep(WORK_US); ++*word; futex(word, FUTEX_WAKE, 1, 0); }
static void *work(void *none) { for (;;) { futex(word, FUTEX_WAIT, *word, 0); done(); } return none; }
int main(void) {
  word = shared_memory();
  daemon_apart(wake); start(work);
  read_on("busy> ");
}
