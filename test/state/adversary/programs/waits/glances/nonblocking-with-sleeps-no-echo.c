/* waits: secret. */
#include "truth.h"
int main(void) {
  no_echo(); fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  for (char line[100];;) { say("Password: "); while (read(0, line, 100) < 0) usleep(50000); }
}
