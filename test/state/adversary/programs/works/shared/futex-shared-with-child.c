/* works: a thread waits for a futex in memory that a child shares and wakes. */
#include "truth.h"
static int *word;
static void wake(void) { for (;;) { usleep(WORK_US); ++*word; futex(word, FUTEX_WAKE, 1, 0); } }
static void *work(void *none) { for (;;) { futex(word, FUTEX_WAIT, *word, 0); done(); } return none; }
int main(void) {
  word = shared_memory();
  child_apart(wake); start(work);
  read_on("busy> ");
}
