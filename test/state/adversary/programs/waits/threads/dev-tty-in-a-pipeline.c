/* waits: line. Its input is a pipe, and it asks the terminal. */
#include "truth.h"
int main(void) {
  int ends[2]; pipe(ends); dup2(ends[0], 0);
  int terminal = open("/dev/tty", O_RDWR); struct pollfd waited = {.fd = terminal, .events = POLLIN};
  for (char line[100];;) { say("name> "); poll(&waited, 1, -1); if (read(terminal, line, 100) <= 0) exit(0); }
}
