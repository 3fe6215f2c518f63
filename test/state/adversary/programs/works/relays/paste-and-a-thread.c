/* works: it has begun to read a line (bracketed paste), and a thread sleeps. */
#include "truth.h"
static void *work(void *none) { for (;;) { usleep(WORK_US); done(); } return none; }
int main(void) {
  raw(); start(work);
  read_on("\33[?2004hbusy> ");
}
