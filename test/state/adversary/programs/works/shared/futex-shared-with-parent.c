/* works: the reader is the child; the parent, in another group, wakes the futex that they share. */
#include "truth.h"
static int *word;
static void *work(void *none) { for (;;) { futex(word, FUTEX_WAIT, *word, 0); done(); } return none; }
int main(void) {
  word = shared_memory();
  if (fork() == 0) { start(work); read_on("busy> "); }
  for (;;) { usleep(WORK_US); ++*word; futex(word, FUTEX_WAKE, 1, 0); }
}
