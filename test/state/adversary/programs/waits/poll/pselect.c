/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); sigset_t none; sigemptyset(&none);
  for (;;) { fd_set set; FD_ZERO(&set); FD_SET(0, &set); say("press> "); pselect(1, &set, 0, 0, 0, &none); answer(); }
}
