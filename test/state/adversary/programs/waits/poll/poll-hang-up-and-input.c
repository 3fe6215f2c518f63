/* waits: key. It asks for everything that poll can tell. */
#include "truth.h"
int main(void) {
  raw(); struct pollfd waited = {.fd = 0, .events = POLLIN | POLLPRI | POLLRDHUP | POLLRDBAND};
  for (;;) { say("press> "); poll(&waited, 1, -1); answer(); }
}
