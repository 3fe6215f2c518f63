/* works: it polls the terminal and the changes of a file. */
#include "truth.h"
static char name[] = "/tmp/repartee-adversary-XXXXXX";
static int file, changes;
static void feed(void) { usleep(WORK_US); write(file, "x", 1); }
int main(void) {
  file = mkstemp(name);
  changes = inotify_init(); inotify_add_watch(changes, name, IN_MODIFY); unlink(name);
  daemon_apart(feed); raw(); say("busy> ");
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = changes, .events = POLLIN}};
  for (char text[500];;) {
    poll(waited, 2, -1);
    if (waited[0].revents && read(0, text, 1) <= 0) exit(0);
    if (waited[1].revents) { read(changes, text, 500); done(); }
  }
}
