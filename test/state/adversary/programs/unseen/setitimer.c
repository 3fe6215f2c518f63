/* unseen: it reads the terminal, and prints whenever an interval has passed. /proc does not show that. */
#include "truth.h"
static void ring(int signal) { done(); }
int main(void) {
  struct itimerval when = {{1, 500000}, {1, 500000}};
  signal(SIGALRM, ring); setitimer(ITIMER_REAL, &when, 0);
  read_on("busy> ");
}
