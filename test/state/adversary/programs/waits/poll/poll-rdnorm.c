/* waits: key. */
#include "truth.h"
int main(void) {
  raw();
  struct pollfd waited = {.fd = 0, .events = POLLRDNORM};
  for (;;) { say("press> "); poll(&waited, 1, -1); answer(); }
}
