/* waits: line. It edits its line itself after a prompt, and the kernel treats nothing (linenoise). */
#include "truth.h"
int main(void) {
  struct termios mode; tcgetattr(0, &mode); cfmakeraw(&mode); tcsetattr(0, TCSANOW, &mode);
  for (;;) { say("\r\nname> "); answer(); }
}
