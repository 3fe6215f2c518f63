/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); struct pollfd waited = {.fd = 0, .events = POLLIN}; sigset_t set; sigemptyset(&set);
  for (;;) { say("press> "); ppoll(&waited, 1, 0, &set); answer(); }
}
