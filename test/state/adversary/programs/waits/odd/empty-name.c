/* waits: secret. */
#include "truth.h"
int main(void) { prctl(PR_SET_NAME, ""); no_echo(); ask("Password: "); }
