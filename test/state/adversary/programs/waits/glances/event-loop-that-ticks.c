/* waits: key. It wakes ten times in a second, and does nothing then. */
#include "truth.h"
int main(void) {
  raw(); struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (;;) { say("press> "); while (poll(&waited, 1, 100) == 0) {} answer(); }
}
