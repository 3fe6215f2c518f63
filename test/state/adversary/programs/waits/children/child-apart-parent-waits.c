/* waits: line. The reader has called setsid, and its parent waits for it. */
#include "truth.h"
int main(void) {
  if (fork() == 0) { setsid(); ask("name> "); }
  waitpid(-1, 0, 0);
}
