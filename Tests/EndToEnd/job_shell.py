#!/usr/bin/env python3
"""job_shell.py [--stay] EVENTS PROGRAM [ARGUMENT …]: the least shell there can be, for tests of terminal manners.

Runs a program as a foreground job and never touches the terminal's settings itself: an interactive shell would mend what
a program left broken. Each change of the job's state is a line of EVENTS: `started PID`, `stopped`, `ended STATUS`. A line
typed at the terminal while the job is stopped continues it; after its end, any line ends the shell. When the terminal goes
away the shell dies, so that the job gets SIGHUP as under any shell; with --stay it lives on, and the job sees only the end of
its input.
"""
import os
import signal
import sys


def main():
    words = sys.argv[1:]
    stays = words[0] == "--stay"
    events, *command = words[1:] if stays else words
    ignored = [signal.SIGTTOU, signal.SIGTTIN, signal.SIGTSTP, signal.SIGINT] + [signal.SIGHUP] * stays
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)

    def tell(text):
        with open(events, "a", encoding="ascii") as file:
            file.write(text + "\n")

    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in ignored:
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    try:
        os.setpgid(child, child)
    except (PermissionError, ProcessLookupError):
        pass  # the child was quicker
    tell(f"started {child}")
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(status):
            break
        tell("stopped")
        sys.stdin.readline()
        os.tcsetpgrp(0, child)
        os.killpg(child, signal.SIGCONT)
    tell(f"ended {os.waitstatus_to_exitcode(status)}")
    print("the job has ended", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
