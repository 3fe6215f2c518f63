/* works: splice(2) returns by itself after 1.5 s (VMIN 0, VTIME 15). */
#include "truth.h"
int main(void) {
  set_mode(ICANON | ECHO, 0, 15);
  int ends[2]; pipe(ends);
  say("thinking");
  while (splice(0, 0, ends[1], 0, 1, 0) == 0) say(".");
}
