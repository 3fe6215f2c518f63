/* works: it keeps an idle `cat` on an inner terminal, and a thread of its own works. */
#include "truth.h"
static void idle(void) { execlp("cat", "cat", (char *)0); }
static void *work(void *none) { for (;;) { usleep(WORK_US); done(); } return none; }
int main(void) {
  int master = inner(idle);
  start(work); say("busy> ");
  relay(master, -1);
}
