/* waits: line. It wakes twenty times in a second. */
#include "truth.h"
int main(void) {
  for (char line[100];;) {
    int ready = 0; say("name> ");
    while (!ready) { fd_set set; FD_ZERO(&set); FD_SET(0, &set); struct timeval time = {0, 50000}; ready = select(1, &set, 0, 0, &time); }
    if (read(0, line, 100) <= 0) exit(0);
  }
}
