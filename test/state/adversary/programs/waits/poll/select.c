/* waits: key. */
#include "truth.h"
int main(void) {
  raw();
  for (;;) { fd_set set; FD_ZERO(&set); FD_SET(0, &set); say("press> "); select(1, &set, 0, 0, 0); answer(); }
}
