/* waits: secret. */
#include "truth.h"
int main(void) {
  no_echo(); struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (char line[100];;) { say("Password: "); poll(&waited, 1, -1); if (read(0, line, 100) <= 0) exit(0); }
}
