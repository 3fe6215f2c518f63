/* works: a thread sleeps. */
#include "truth.h"
static void *work(void *none) { struct timespec time = WORK_SECONDS; for (;;) { syscall(SYS_nanosleep, &time, 0); done(); } return none; }
int main(void) {
  start(work);
  read_on("busy> ");
}
