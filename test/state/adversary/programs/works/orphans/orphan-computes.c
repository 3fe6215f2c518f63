/* works: it reads the terminal. A process that it has started by two forks computes. */
#include "truth.h"
static void toil(void) { for (volatile long at = 0;; at++) if (at % 1000000000 == 999999999) done(); }
int main(void) {
  orphan(toil);
  read_on("busy> ");
}
