/* works: a thread waits for the change of a file, which a daemon makes. */
#include "truth.h"
static char name[] = "/tmp/repartee-adversary-XXXXXX";
static int file, changes;
static void feed(void) { usleep(WORK_US); write(file, "x", 1); }
static void *work(void *none) { char text[500]; while (read(changes, text, 500) > 0) done(); return none; }
int main(void) {
  file = mkstemp(name);
  changes = inotify_init(); inotify_add_watch(changes, name, IN_MODIFY); unlink(name);
  daemon_apart(feed); start(work);
  read_on("busy> ");
}
