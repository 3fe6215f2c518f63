/* waits: secret. */
#include "truth.h"
int main(void) {
  no_echo();
  for (char line[100];;) {
    fd_set set; FD_ZERO(&set); FD_SET(0, &set);
    say("Password: "); select(1, &set, 0, 0, 0); if (read(0, line, 100) <= 0) exit(0);
  }
}
