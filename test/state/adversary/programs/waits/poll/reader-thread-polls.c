/* waits: key. The first thread has ended, another polls. */
#include "truth.h"
static void *question(void *none) {
  struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (;;) { say("press> "); poll(&waited, 1, -1); answer(); }
  return none;
}
int main(void) { raw(); start(question); pthread_exit(0); }
