/* waits: secret. It relays a program that asks for a secret. */
#include "truth.h"
static void question(void) { no_echo(); ask("Password: "); }
int main(void) { relay(inner(question), -1); }
