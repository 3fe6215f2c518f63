/* works: a thread waits for a child in another session. */
#include "truth.h"
static void rest(void) { usleep(WORK_US); }
static void *work(void *none) { for (;;) { child_apart(rest); wait(0); done(); } return none; }
int main(void) {
  start(work);
  read_on("busy> ");
}
