/* works: an event loop, and a daemon writes to its eventfd. */
#include "truth.h"
static int event;
static void feed(void) { usleep(WORK_US); eventfd_write(event, 1); }
int main(void) {
  raw(); event = eventfd(0, 0); daemon_apart(feed);
  int loop = epoll_create1(0);
  add(loop, 0, EPOLLIN); add(loop, event, EPOLLIN);
  say("busy> ");
  for (struct epoll_event ready;;) {
    epoll_wait(loop, &ready, 1, -1);
    eventfd_t count; char key;
    if (ready.data.fd == event) { eventfd_read(event, &count); done(); }
    else if (read(0, &key, 1) <= 0) exit(0);
  }
}
