/* works: it polls the terminal and the pidfd of a child in another session. */
#include "truth.h"
static void rest(void) { usleep(WORK_US); }
int main(void) {
  raw(); say("busy> ");
  for (char text;;) {
    int child = child_apart(rest), file = syscall(SYS_pidfd_open, child, 0);
    struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = file, .events = POLLIN}};
    do { poll(waited, 2, -1); if (waited[0].revents && read(0, &text, 1) <= 0) exit(0); } while (!waited[1].revents);
    close(file); wait(0); done();
  }
}
