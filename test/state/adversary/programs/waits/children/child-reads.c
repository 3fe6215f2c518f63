/* waits: line. */
#include "truth.h"
int main(void) {
  if (fork() == 0) ask("name> ");
  wait(0);
}
