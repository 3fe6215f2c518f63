/* works: a thread waits for another, with a time-out. */
#include "truth.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *work(void *none) {
  for (;;) {
    struct timespec time; clock_gettime(CLOCK_REALTIME, &time); time.tv_sec += 2;
    pthread_mutex_lock(&mutex); pthread_cond_timedwait(&condition, &mutex, &time); pthread_mutex_unlock(&mutex);
    done();
  }
  return none;
}
int main(void) {
  start(work);
  read_on("busy> ");
}
