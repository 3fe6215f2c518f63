/* unseen: it reads the terminal, and prints at an alarm that /proc does not show. */
#include "truth.h"
static void ring(int signal) { done(); alarm(2); }
int main(void) {
  signal(SIGALRM, ring); alarm(2);
  read_on("busy> ");
}
