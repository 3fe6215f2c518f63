/* waits: line. A 32-bit program, in select(2) of five arguments. */
static int call(int number, long a, const void *b, long c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c), "S"(0), "D"(0) : "memory");
  return result;
}
void _start(void) {
  char line[100];
  for (int set[32] = {1};; set[0] = 1) { call(4, 1, "name> ", 6); call(142, 1, set, 0); if (call(3, 0, line, 100) <= 0) call(1, 0, 0, 0); }
}
