/* works: a thread waits for requests of io_submit(2), with a time-out. */
#include "truth.h"
static void *work(void *none) {
  long context = 0; char event[32];
  syscall(SYS_io_setup, 1, &context);
  for (;;) { struct timespec time = WORK_SECONDS; syscall(SYS_io_getevents, context, 1, 1, event, &time); done(); }
  return none;
}
int main(void) {
  start(work);
  read_on("busy> ");
}
