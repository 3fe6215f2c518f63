/* waits: line. It has the terminal read by an io_uring, and polls an eventfd for the result. */
#include "truth.h"
#include <linux/io_uring.h>
int main(void) {
  struct io_uring_params p = {0}; static char line[100];
  int ring = syscall(SYS_io_uring_setup, 4, &p), event = eventfd(0, 0);
  char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, 3, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  struct io_uring_sqe *sqe = mmap(0, p.sq_entries * sizeof *sqe, 3, MAP_SHARED, ring, IORING_OFF_SQES);
  syscall(SYS_io_uring_register, ring, IORING_REGISTER_EVENTFD, &event, 1);
  struct pollfd waited = {.fd = event, .events = POLLIN};
  for (eventfd_t count;;) {
    unsigned *tail = (unsigned *)(sq + p.sq_off.tail), at = *tail & *(unsigned *)(sq + p.sq_off.ring_mask);
    sqe[at] = (struct io_uring_sqe){.opcode = IORING_OP_READ, .fd = 0, .addr = (long)line, .len = 100, .off = -1};
    ((unsigned *)(sq + p.sq_off.array))[at] = at; __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    say("name> "); syscall(SYS_io_uring_enter, ring, 1, 0, 0, 0, 0);
    poll(&waited, 1, -1); read(event, &count, 8);
  }
}
