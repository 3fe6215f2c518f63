/* works: a thread reads the terminal, another computes. */
#include "truth.h"
static void *work(void *none) { for (volatile long at = 0;; at++); return none; }
int main(void) {
  start(work);
  read_on("busy> ");
}
