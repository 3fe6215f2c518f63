/* waits: secret. As getpass(3) does it. */
#include "truth.h"
int main(void) { dup2(open("/dev/null", O_RDONLY), 3); for (;;) { getpass("Password: "); } }
