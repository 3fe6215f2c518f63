/* works: it computes, and looks at the terminal now and then. */
#include "truth.h"
int main(void) {
  raw(); say("busy> ");
  struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (;;) { for (volatile long at = 0; at < 3000000; at++); if (poll(&waited, 1, 0) > 0) answer(); }
}
