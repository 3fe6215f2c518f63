/* waits: line. */
#include "truth.h"
int main(void) {
  char line[100]; struct iovec part = {line, 100};
  for (;;) { say("name> "); if (readv(0, &part, 1) <= 0) exit(0); }
}
