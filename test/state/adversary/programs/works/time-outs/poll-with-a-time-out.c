/* works: it waits for the terminal, with a time-out, and then prints. */
#include "truth.h"
int main(void) {
  raw(); say("busy> ");
  struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (;;) if (poll(&waited, 1, 1500) == 0) done(); else answer();
}
