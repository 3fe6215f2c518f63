/* waits: secret. */
#include "truth.h"
static void question(void) { no_echo(); ask("Password: "); }
int main(void) { orphan(question); for (;;) pause(); }
