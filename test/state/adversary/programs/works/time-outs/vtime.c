/* works: read(2) returns by itself after 1.5 s (VMIN 0, VTIME 15), and it prints then. */
#include "truth.h"
int main(void) {
  struct termios mode; tcgetattr(0, &mode);
  mode.c_lflag &= ~(ICANON | ECHO); mode.c_cc[VMIN] = 0; mode.c_cc[VTIME] = 15;
  tcsetattr(0, TCSANOW, &mode);
  say("thinking"); char key;
  while (read(0, &key, 1) == 0) say(".");
}
