/* waits: line. It reads without waiting, twenty times in a second. */
#include "truth.h"
int main(void) {
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  for (char line[100];;) {
    int size; struct timespec time = {0, 50000000};
    say("name> "); while ((size = read(0, line, 100)) < 0) nanosleep(&time, 0);
    if (size == 0) exit(0);
  }
}
