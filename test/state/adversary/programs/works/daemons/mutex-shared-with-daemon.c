/* works: a thread waits for a mutex of several processes, which a daemon holds. */
#include "truth.h"
static pthread_mutex_t *mutex;
static void hold(void) { pthread_mutex_lock(mutex); usleep(WORK_US); pthread_mutex_unlock(mutex); usleep(1000); }
static void *work(void *none) { usleep(100000); for (;;) { pthread_mutex_lock(mutex); pthread_mutex_unlock(mutex); done(); usleep(100000); } return none; }
int main(void) {
  mutex = shared_memory();
  pthread_mutexattr_t kind; pthread_mutexattr_init(&kind);
  pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(mutex, &kind);
  daemon_apart(hold); start(work);
  read_on("busy> ");
}
