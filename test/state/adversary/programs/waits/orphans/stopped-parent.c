/* waits: line. The parent is stopped, its child reads. */
#include "truth.h"
int main(void) {
  int parent = getpid();
  if (fork() == 0) { kill(parent, SIGSTOP); ask("name> "); }
  wait(0);
}
