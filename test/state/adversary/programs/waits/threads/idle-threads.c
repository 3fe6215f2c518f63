/* waits: line. Eight threads wait for work, which only the reader can give them. */
#include "truth.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *rest(void *none) { pthread_mutex_lock(&mutex); for (;;) pthread_cond_wait(&condition, &mutex); return none; }
int main(void) { for (int at = 0; at < 8; at++) start(rest); ask("name> "); }
