/* works: a thread sleeps in pselect. */
#include "truth.h"
static void *work(void *none) { struct timespec time = WORK_SECONDS; for (;;) { pselect(0, 0, 0, 0, &time, 0); done(); } return none; }
int main(void) {
  start(work);
  read_on("busy> ");
}
