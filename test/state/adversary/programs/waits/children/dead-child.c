/* waits: line. Its child has ended, and nobody has asked how. */
#include "truth.h"
int main(void) { if (fork() == 0) _exit(0); ask("name> "); }
