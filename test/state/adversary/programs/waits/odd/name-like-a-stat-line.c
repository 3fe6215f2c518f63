/* waits: line. Its name looks like the rest of a line of /proc. */
#include "truth.h"
int main(void) { prctl(PR_SET_NAME, "x) R 1\n1 (y"); ask("name> "); }
