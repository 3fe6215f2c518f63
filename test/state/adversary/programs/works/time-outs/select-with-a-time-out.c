/* works: it waits for the terminal, with a time-out, and then prints. */
#include "truth.h"
int main(void) {
  raw(); say("busy> ");
  for (;;) {
    fd_set set; FD_ZERO(&set); FD_SET(0, &set);
    struct timeval time = {1, 500000};
    if (select(1, &set, 0, 0, &time) == 0) done(); else answer();
  }
}
