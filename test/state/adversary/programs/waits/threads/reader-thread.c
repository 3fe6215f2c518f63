/* waits: line. The first thread waits for the one that reads. */
#include "truth.h"
static void *question(void *none) { ask("name> "); return none; }
int main(void) {
  pthread_t thread; pthread_create(&thread, 0, question, 0);
  pthread_join(thread, 0);
}
