/* waits: line. */
#include "truth.h"
int main(void) { prctl(PR_SET_NAME, "a) S 1\n) R 1 1"); ask("name> "); }
