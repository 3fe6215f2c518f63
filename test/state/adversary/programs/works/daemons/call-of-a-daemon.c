/* works: a daemon that it has started connects to it when it is done. */
#include "truth.h"
static struct sockaddr_in place = {.sin_family = AF_INET};
static int listener;
static void call(void) {
  int caller = socket(AF_INET, SOCK_STREAM, 0);
  usleep(WORK_US); connect(caller, (void *)&place, sizeof place); close(caller);
}
static void *serve(void *none) { for (;;) { close(accept(listener, 0, 0)); done(); } }
int main(void) {
  socklen_t size = sizeof place;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (void *)&place, size); listen(listener, 1); getsockname(listener, (void *)&place, &size);
  daemon_apart(call); start(serve);
  read_on("busy> ");
}
