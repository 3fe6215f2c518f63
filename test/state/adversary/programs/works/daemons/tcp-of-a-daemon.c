/* works: a thread reads a connection over the network. */
#include "truth.h"
static int listener, connection;
static struct sockaddr_in place = {.sin_family = AF_INET};
static void feed(void) { usleep(WORK_US); write(connection, "x", 1); }
static void *work(void *none) { char text; while (read(connection, &text, 1) > 0) done(); return none; }
int main(void) {
  socklen_t size = sizeof place;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM, 0); connection = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (void *)&place, size); listen(listener, 1); getsockname(listener, (void *)&place, &size);
  connect(connection, (void *)&place, size);
  int other = accept(listener, 0, 0), ours = connection;
  connection = other; daemon_apart(feed); connection = ours;
  start(work);
  read_on("busy> ");
}
