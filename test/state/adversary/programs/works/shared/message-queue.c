/* works: a thread waits for a POSIX message queue, to which a daemon sends. */
#include "truth.h"
static mqd_t queue;
static void feed(void) { usleep(WORK_US); mq_send(queue, "x", 1, 0); }
static void *work(void *none) { char text[8]; while (mq_receive(queue, text, 8, 0) > 0) done(); return none; }
int main(void) {
  char name[40]; sprintf(name, "/repartee-%d", getpid());
  struct mq_attr kind = {.mq_maxmsg = 1, .mq_msgsize = 8};
  queue = mq_open(name, O_RDWR | O_CREAT, 0600, &kind); mq_unlink(name);
  daemon_apart(feed); start(work);
  read_on("busy> ");
}
