/* waits: secret. The first thread has ended. */
#include "truth.h"
static void *question(void *none) { ask("Password: "); return none; }
int main(void) { no_echo(); start(question); pthread_exit(0); }
