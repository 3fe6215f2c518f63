/* waits: line. Its grandchild reads, two sessions away. */
#include "truth.h"
int main(void) {
  if (fork() == 0) { setsid(); if (fork() == 0) { setsid(); ask("name> "); } wait(0); _exit(0); }
  wait(0);
}
