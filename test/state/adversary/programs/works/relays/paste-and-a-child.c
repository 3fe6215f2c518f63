/* works: it has begun to read a line (bracketed paste), and a child in another session writes to its pipe. */
#include "truth.h"
static int ends[2];
static void feed(void) { for (;;) { usleep(WORK_US); write(ends[1], "x", 1); } }
int main(void) {
  pipe(ends); child_apart(feed); close(ends[1]);
  raw(); say("\33[?2004hbusy> ");
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
  for (char text;;) {
    poll(waited, 2, -1);
    if (waited[0].revents) answer();
    if (waited[1].revents) { read(ends[0], &text, 1); done(); }
  }
}
