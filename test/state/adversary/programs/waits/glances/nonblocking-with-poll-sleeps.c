/* waits: line. It sleeps in a poll without descriptors. */
#include "truth.h"
int main(void) {
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  for (char line[100];;) { say("name> "); while (read(0, line, 100) < 0) poll(0, 0, 50); }
}
