/* works: preadv2(2) returns by itself after 1.5 s (VMIN 0, VTIME 15). */
#include "truth.h"
int main(void) {
  set_mode(ICANON | ECHO, 0, 15);
  say("thinking"); char key; struct iovec part = {&key, 1};
  while (preadv2(0, &part, 1, -1, 0) == 0) say(".");
}
