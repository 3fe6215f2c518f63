/* works: it has begun to read a line (bracketed paste), and wakes by itself to print. */
#include "truth.h"
int main(void) {
  raw(); say("\33[?2004hbusy> ");
  struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (;;) if (poll(&waited, 1, 1500) == 0) done(); else answer();
}
