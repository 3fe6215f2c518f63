/* works: a thread waits for a mutex with priorities, with a time-out (FUTEX_LOCK_PI). */
#include "truth.h"
static pthread_mutex_t mutex;
static void *work(void *none) {
  for (;;) {
    struct timespec time; clock_gettime(CLOCK_REALTIME, &time); time.tv_sec += 2;
    pthread_mutex_timedlock(&mutex, &time); done();
  }
  return none;
}
int main(void) {
  pthread_mutexattr_t kind; pthread_mutexattr_init(&kind);
  pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&mutex, &kind); pthread_mutex_lock(&mutex);
  start(work);
  read_on("busy> ");
}
