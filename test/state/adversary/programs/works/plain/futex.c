/* works: all its threads but one wait for that one, which sleeps. */
#include "truth.h"
static void *rest(void *none) { for (;;) { usleep(WORK_US); done(); } return none; }
int main(void) {
  pthread_t thread; pthread_create(&thread, 0, rest, 0); say("busy> ");
  pthread_join(thread, 0);
}
