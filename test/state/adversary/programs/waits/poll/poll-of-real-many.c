/* waits: key. The terminal is the last of 5,000 open descriptors. */
#include "truth.h"
int main(void) {
  static struct pollfd waited[5001];
  struct rlimit limit = {8192, 8192}; setrlimit(RLIMIT_NOFILE, &limit); raw();
  int ends[2]; pipe(ends);
  for (int at = 0; at < 5000; at++) { waited[at].fd = dup(ends[0]); waited[at].events = POLLIN; }
  waited[5000].fd = 0; waited[5000].events = POLLIN;
  for (;;) { say("press> "); poll(waited, 5001, -1); answer(); }
}
