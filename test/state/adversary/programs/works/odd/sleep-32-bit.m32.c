/* works: a 32-bit program that sleeps. */
static int call(int number, long a, const void *b, long c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}
static int time[2] = {1, 500000000};
void _start(void) {
  call(4, 1, "busy> ", 6);
  for (;;) { call(162, (long)time, 0, 0); call(4, 1, "done\r\n> ", 8); }
}
