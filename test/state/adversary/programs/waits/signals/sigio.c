/* waits: line. It asks for a signal when there is input, and pauses. */
#include "truth.h"
static void on_input(int signal) { char line[100]; (void)signal; if (read(0, line, 100) > 0) say("got it\r\nname> "); }
int main(void) {
  signal(SIGIO, on_input);
  fcntl(0, F_SETOWN, getpid());
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_ASYNC | O_NONBLOCK);
  say("name> ");
  for (;;) pause();
}
