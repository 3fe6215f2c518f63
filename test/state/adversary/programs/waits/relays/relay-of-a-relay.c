/* waits: secret. It relays a relay of a program that asks for a secret. */
#include "truth.h"
static void question(void) { no_echo(); ask("Password: "); }
static void between(void) { relay(inner(question), -1); }
int main(void) { relay(inner(between), -1); }
