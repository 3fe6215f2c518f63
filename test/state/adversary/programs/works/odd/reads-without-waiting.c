/* works: it computes, and reads what was typed without ever waiting for it. */
#include "truth.h"
int main(void) {
  raw(); say("busy> "); fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  for (char key;;) { for (volatile long at = 0; at < 3000000; at++); if (read(0, &key, 1) == 0) exit(0); }
}
