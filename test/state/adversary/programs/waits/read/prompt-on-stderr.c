/* waits: line. Its output goes elsewhere; the prompt is on stderr. */
#include "truth.h"
int main(void) {
  char line[100];
  dup2(open("/dev/null", O_RDWR), 1);
  for (;;) { write(2, "name> ", 6); if (read(0, line, 100) <= 0) exit(0); }
}
