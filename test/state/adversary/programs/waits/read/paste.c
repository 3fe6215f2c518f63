/* waits: line. It reads a line in raw mode, with bracketed paste. */
#include "truth.h"
int main(void) {
  set_mode(ICANON | ECHO | ISIG, 1, 0);
  struct termios mode; tcgetattr(0, &mode); mode.c_iflag &= ~ICRNL; tcsetattr(0, TCSANOW, &mode);
  for (;;) { say("\33[?2004hname> "); answer(); }
}
