/* waits: key. The kernel treats nothing at all (cfmakeraw), and nothing is shown. */
#include "truth.h"
int main(void) {
  struct termios mode; tcgetattr(0, &mode); cfmakeraw(&mode); tcsetattr(0, TCSANOW, &mode);
  for (;;) answer();
}
