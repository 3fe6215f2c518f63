/* waits: line. It opens the terminal anew by its name. */
#include "truth.h"
int main(void) {
  int terminal = open(ttyname(0), O_RDWR); close(0);
  for (char line[100];;) { say("name> "); if (read(terminal, line, 100) <= 0) exit(0); }
}
