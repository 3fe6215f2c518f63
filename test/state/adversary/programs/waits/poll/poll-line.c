/* waits: line. */
#include "truth.h"
int main(void) {
  struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (char line[100];;) { say("name> "); poll(&waited, 1, -1); if (read(0, line, 100) <= 0) exit(0); }
}
