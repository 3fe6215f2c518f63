/* waits: key. The same, in a poll. */
#include "truth.h"
int main(void) {
  prctl(PR_SET_DUMPABLE, 0); raw(); struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (;;) { say("press> "); poll(&waited, 1, -1); answer(); }
}
