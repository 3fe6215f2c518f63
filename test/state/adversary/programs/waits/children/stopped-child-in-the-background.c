/* waits: line. Its child was stopped because it has read the terminal from the background. */
#include "truth.h"
int main(void) {
  int child = fork();
  if (child == 0) { setpgid(0, 0); raise(SIGTTIN); _exit(0); }
  waitpid(child, 0, WUNTRACED); ask("name> ");
}
