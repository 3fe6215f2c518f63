/* works: it keeps an idle shell on an inner terminal, and waits for a child by a pipe. */
#include "truth.h"
static int ends[2];
static void idle(void) { execlp("sh", "sh", (char *)0); }
static void feed(void) { for (;;) { usleep(WORK_US); write(ends[1], "x", 1); } }
int main(void) {
  int master = inner(idle);
  pipe(ends); child_apart(feed); close(ends[1]); raw();
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = master, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
  for (char text;;) {
    poll(waited, 3, -1);
    if (waited[0].revents && !copy(0, master)) exit(0);
    if (waited[1].revents && !copy(master, 1)) exit(0);
    if (waited[2].revents) { read(ends[0], &text, 1); done(); }
  }
}
