/* waits: line. It has a timer that is not set, as vim has. */
#include "truth.h"
int main(void) {
  timer_t timer; struct sigevent event = {.sigev_notify = SIGEV_NONE};
  timer_create(CLOCK_MONOTONIC, &event, &timer); ask("name> ");
}
