/* works: it keeps an idle `cat` on an inner terminal, and wakes by itself to print. */
#include "truth.h"
static void idle(void) { execlp("cat", "cat", (char *)0); }
int main(void) {
  int master = inner(idle); raw(); say("busy> ");
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = master, .events = POLLIN}};
  for (;;) {
    if (poll(waited, 2, 1500) == 0) done();
    if (waited[0].revents && !copy(0, master)) exit(0);
    if (waited[1].revents && !copy(master, 1)) exit(0);
  }
}
