/* waits: secret. It has left a daemon behind that waits for requests, as gpg does. */
#include "truth.h"
static int listener;
static void serve(void) { accept(listener, 0, 0); }
int main(void) {
  listener = socket(AF_UNIX, SOCK_STREAM, 0); bind(listener, (void *)&(struct sockaddr){AF_UNIX}, 2); listen(listener, 1);
  daemon_apart(serve); close(listener); no_echo(); ask("Password: ");
}
