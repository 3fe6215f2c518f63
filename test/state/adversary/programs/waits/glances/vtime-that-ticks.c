/* waits: key. read(2) returns ten times in a second without a key (VMIN 0, VTIME 1), as in kilo. */
#include "truth.h"
int main(void) {
  set_mode(ICANON | ECHO, 0, 1);
  for (char key;;) { say("press> "); while (read(0, &key, 1) == 0) {} say("got it\r\n"); }
}
