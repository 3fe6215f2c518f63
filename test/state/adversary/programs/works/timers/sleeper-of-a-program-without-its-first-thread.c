/* works: the first thread has ended. One thread reads the terminal, one sleeps. */
#include "truth.h"
static void *work(void *none) { for (;;) { usleep(WORK_US); done(); } return none; }
static void *question(void *none) { read_on("busy> "); return none; }
int main(void) { start(work); start(question); pthread_exit(0); }
