/* works: a 32-bit program that waits for the terminal with a time-out, and then prints. */
static int call(int number, long a, const void *b, long c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}
static struct { int fd; short events, revents; } waited = {0, 1, 0};
void _start(void) {
  char line[100];
  call(4, 1, "busy> ", 6);
  for (;;) { if (call(168, (long)&waited, (void *)1, 1500) == 0) call(4, 1, "done\r\n> ", 8); else if (call(3, 0, line, 100) <= 0) call(1, 0, 0, 0); }
}
