/* waits: secret. It forbids others to look at it (PR_SET_DUMPABLE), as ssh-agent does. */
#include "truth.h"
int main(void) { prctl(PR_SET_DUMPABLE, 0); no_echo(); ask("Password: "); }
