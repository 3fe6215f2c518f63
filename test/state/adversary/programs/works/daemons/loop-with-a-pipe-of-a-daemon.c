/* works: an event loop whose own pipe a daemon has too. */
#include "truth.h"
static int ends[2];
static void feed(void) { usleep(WORK_US); write(ends[1], "x", 1); }
int main(void) {
  raw(); pipe(ends); daemon_apart(feed);
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
  say("busy> ");
  for (char text;;) {
    poll(waited, 2, -1);
    if (waited[0].revents && read(0, &text, 1) <= 0) exit(0);
    if (waited[1].revents) { read(ends[0], &text, 1); done(); }
  }
}
