/* works: it reads the terminal. A process that it has started by two forks works in the foreground. */
#include "truth.h"
static void toil(void) { for (;;) { usleep(WORK_US); done(); } }
int main(void) {
  orphan(toil);
  read_on("busy> ");
}
