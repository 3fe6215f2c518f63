/* waits: key. It asks how much was typed (FIONREAD), and sleeps in between. */
#include "truth.h"
int main(void) {
  raw();
  for (int count;;) { say("press> "); do { usleep(50000); ioctl(0, FIONREAD, &count); } while (count == 0); answer(); }
}
