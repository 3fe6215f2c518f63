/* waits: line. Its child, in the foreground too, is stopped. */
#include "truth.h"
int main(void) {
  int child = fork();
  if (child == 0) { raise(SIGSTOP); _exit(0); }
  waitpid(child, 0, WUNTRACED); ask("name> ");
}
