/* waits: line. The same, but the terminal with the secret was opened first. */
#include "truth.h"
static void question(void) { ask("name> "); }
static void secret(void) { no_echo(); ask("Password: "); }
int main(void) { int other = inner(secret); relay(inner(question), other); }
