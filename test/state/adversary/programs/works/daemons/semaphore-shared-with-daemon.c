/* works: a thread waits for a semaphore (sem_wait) that a daemon posts. */
#include "truth.h"
static sem_t *semaphore;
static void post(void) { usleep(WORK_US); sem_post(semaphore); }
static void *work(void *none) { for (;;) { sem_wait(semaphore); done(); } return none; }
int main(void) {
  semaphore = shared_memory();
  sem_init(semaphore, 1, 0);
  daemon_apart(post); start(work);
  read_on("busy> ");
}
