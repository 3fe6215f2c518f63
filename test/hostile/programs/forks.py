# `forks.py MODE`: processes that do not want to end. At most 120 of them, and each ends by itself within
# 5 seconds: a stopped one is ended by the process that has started it, or by the trial.
import os, resource, signal, sys, time

ENDS = time.time() + 4
mode = sys.argv[1]
STUBBORN = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


def ignore_all():
    for number in STUBBORN:
        signal.signal(number, signal.SIG_IGN)


def rest():
    while time.time() < ENDS:
        time.sleep(0.05)
    os._exit(0)


def close_all():
    null = os.open('/dev/null', os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)


def child(act):
    pid = os.fork()
    if pid == 0:
        try:
            act()
        finally:
            os._exit(0)
    return pid


def leave():
    os.setsid()
    close_all()
    os.execve('/bin/sleep', ['sleep', '4'], {})


def leave_unmarked():
    RLIMIT_LOCKS = 10
    resource.setrlimit(RLIMIT_LOCKS, (5, 5))
    leave()


def rise():
    while time.time() < ENDS:
        if os.fork() > 0:
            os._exit(0)
        time.sleep(0.002)


def leave_and_rise():
    ignore_all()
    os.setsid()
    close_all()
    # A new image has a new environment.
    os.execve(sys.executable, [sys.executable, sys.argv[0], 'rise'], {})


def grow(depth):
    ignore_all()
    if depth > 0:
        for _ in range(3):
            child(lambda: grow(depth - 1))
    rest()


def stop_itself():
    os.kill(os.getpid(), signal.SIGSTOP)


def fork_at_each_signal():
    forks = [0]

    def on_signal(*_):
        forks[0] += 1
        if forks[0] < 20:
            child(lambda: (ignore_all(), rest()))

    for number in STUBBORN:
        signal.signal(number, on_signal)


if mode == 'tree':
    child(lambda: grow(3))
elif mode == 'leavers':
    for _ in range(40):
        child(leave)
elif mode == 'orphans':
    for _ in range(40):
        child(lambda: child(leave))
elif mode == 'unmarked':
    for _ in range(40):
        child(lambda: child(leave_unmarked))
elif mode == 'rise':
    rise()
elif mode == 'phoenix':
    child(lambda: (ignore_all(), rise()))
elif mode == 'phoenix-left':
    child(leave_and_rise)
elif mode == 'phoenixes':
    for _ in range(8):
        child(leave_and_rise)
elif mode == 'stopped':
    stopped = [child(stop_itself) for _ in range(10)]
    child(lambda: (ignore_all(), time.sleep(4), [os.kill(pid, signal.SIGKILL) for pid in stopped]))
elif mode == 'zombies':
    for _ in range(100):
        child(lambda: None)
elif mode == 'signals':
    fork_at_each_signal()
elif mode == 'brief':
    for _ in range(100):
        child(lambda: None)
        time.sleep(0.005)
elif mode == 'groups':
    for _ in range(30):
        child(lambda: (os.setpgid(0, 0), ignore_all(), rest()))
elif mode == 'terminal':
    child(lambda: (ignore_all(), os.setsid(), rest()))
elif mode == 'closed':
    close_all()
    ignore_all()
elif mode == 'exec':
    ignore_all()
    if len(sys.argv) < 3:
        sys.argv.append(str(ENDS))
    if time.time() < float(sys.argv[2]):
        os.execv(sys.executable, [sys.executable, *sys.argv])
elif mode == 'memory':
    held = [bytearray(b'x' * (1 << 20)) for _ in range(256)]
elif mode == 'descriptors':
    held = [os.open('/dev/null', os.O_RDONLY) for _ in range(900)]
print('ready', flush=True)
rest()
