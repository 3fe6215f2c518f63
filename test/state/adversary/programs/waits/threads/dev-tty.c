/* waits: line. It opens the terminal anew, by the name that means its own. */
#include "truth.h"
int main(void) {
  int terminal = open("/dev/tty", O_RDWR); close(0);
  for (char line[100];;) { say("name> "); if (read(terminal, line, 100) <= 0) exit(0); }
}
