/* works: a thread waits for a System V message, which a daemon sends. */
#include "truth.h"
static int queue;
static struct { long kind; char text[8]; } message = {1, "x"};
static void feed(void) { usleep(WORK_US); msgsnd(queue, &message, 1, 0); }
static void *work(void *none) { while (msgrcv(queue, &message, 8, 0, 0) >= 0) done(); return none; }
int main(void) {
  queue = msgget(IPC_KEY, IPC_CREAT | 0600);
  daemon_apart(feed); start(work);
  read_on("busy> ");
}
