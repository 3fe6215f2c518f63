/* works: a thread waits for a System V semaphore, which a daemon raises. */
#include "truth.h"
static int semaphore;
static void change(int by) { struct sembuf what = {.sem_op = by}; semop(semaphore, &what, 1); }
static void feed(void) { usleep(WORK_US); change(1); }
static void *work(void *none) { for (;;) { change(-1); done(); } return none; }
int main(void) {
  semaphore = semget(IPC_KEY, 1, IPC_CREAT | 0600);
  daemon_apart(feed); start(work);
  read_on("busy> ");
}
