/* works: a daemon that has forgotten its environment writes to the eventfd that a thread reads. */
#include "truth.h"
static int event;
static void forget(void) {
  char end[20]; sprintf(end, "%d", event);
  execle("/proc/self/exe", "feed", end, (char *)0, (char *[]){0});
}
static void *work(void *none) { eventfd_t count; for (;;) { eventfd_read(event, &count); done(); } return none; }
int main(int count, char **args) {
  if (count > 1) { for (int at = 0; at < 4; at++) { usleep(WORK_US); eventfd_write(atoi(args[1]), 1); } return 0; }
  event = eventfd(0, 0); daemon_apart(forget); start(work);
  read_on("busy> ");
}
