/* waits: line. The first thread has ended. */
#include "truth.h"
static void *question(void *none) { ask("name> "); return none; }
int main(void) { start(question); pthread_exit(0); }
