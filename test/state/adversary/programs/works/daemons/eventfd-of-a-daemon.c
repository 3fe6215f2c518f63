/* works: a daemon writes to the eventfd. */
#include "truth.h"
static int event;
static void feed(void) { usleep(WORK_US); eventfd_write(event, 1); }
static void *work(void *none) { eventfd_t count; for (;;) { eventfd_read(event, &count); done(); } return none; }
int main(void) {
  event = eventfd(0, 0); daemon_apart(feed); start(work);
  read_on("busy> ");
}
