/* waits: key. The terminal is the last of 6,000 entries. */
#include "truth.h"
int main(void) {
  raw();
  struct rlimit limit = {8192, 8192}; setrlimit(RLIMIT_NOFILE, &limit);
  static struct pollfd waited[6000];
  for (int at = 0; at < 6000; at++) waited[at].fd = -1;
  waited[5999].fd = 0; waited[5999].events = POLLIN;
  for (;;) { say("press> "); poll(waited, 6000, -1); answer(); }
}
