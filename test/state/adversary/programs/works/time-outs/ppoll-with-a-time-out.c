/* works: it waits for the terminal, with a time-out, and then prints. */
#include "truth.h"
int main(void) {
  raw(); say("busy> ");
  struct pollfd waited = {.fd = 0, .events = POLLIN};
  struct timespec time = WORK_SECONDS;
  for (;;) if (ppoll(&waited, 1, &time, 0) == 0) done(); else answer();
}
