/* works: a thread waits for a System V semaphore, with a time-out. */
#include "truth.h"
static int semaphore;
static void *work(void *none) {
  struct sembuf what = {.sem_op = -1};
  struct timespec time = WORK_SECONDS;
  for (;;) { semtimedop(semaphore, &what, 1, &time); done(); }
  return none;
}
int main(void) {
  semaphore = semget(IPC_KEY, 1, IPC_CREAT | 0600);
  start(work);
  read_on("busy> ");
}
