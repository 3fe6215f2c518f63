/* works: after a key it waits for the rest of it, and then answers. */
#include "truth.h"
int main(void) {
  char key; struct pollfd waited = {.fd = 0, .events = POLLIN};
  raw(); say("\033[?1049hbusy");
  for (;;) { if (poll(&waited, 1, 1500) == 0) done(); else if (read(0, &key, 1) == 0) exit(0); }
}
