/* works: it polls the terminal for POLLPRI, which never comes, and a pipe. */
#include "truth.h"
int main(void) {
  int ends[2]; char text; pipe(ends); say("busy> ");
  if (fork() == 0) for (;;) { usleep(WORK_US); write(ends[1], "x", 1); }
  struct pollfd waited[] = {{.fd = 0, .events = POLLPRI}, {.fd = ends[0], .events = POLLIN}};
  for (;;) { poll(waited, 2, -1); if (waited[0].revents) exit(0); read(ends[0], &text, 1); done(); }
}
