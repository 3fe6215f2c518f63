/* waits: line. A tracer waits for the reader, as strace and gdb do. */
#include "truth.h"
int main(void) {
  int child = fork();
  if (child == 0) { ptrace(PTRACE_TRACEME, 0, 0, 0); raise(SIGSTOP); ask("name> "); }
  for (int status; waitpid(child, &status, 0) > 0;) ptrace(PTRACE_CONT, child, 0, 0);
}
