/* works: it asks for a secret, and gives up after a time (as passwd prompts do). */
#include "truth.h"
int main(void) {
  no_echo();
  struct pollfd waited = {.fd = 0, .events = POLLIN};
  for (;;) { say("Password: "); if (poll(&waited, 1, 1500) == 0) say("too late\r\n"); else answer(); }
}
