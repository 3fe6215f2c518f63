/* waits: secret. The reader has called setsid. */
#include "truth.h"
int main(void) {
  no_echo();
  if (fork() == 0) { setsid(); ask("Password: "); }
  wait(0);
}
