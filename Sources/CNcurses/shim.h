// Curses for one tenant, the curses terminal: what macros hide is given as functions here.
#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// term.h would bring hundreds of macros with everyday names; these are the functions used.
extern int setupterm(const char *, int, int *);
extern int tigetnum(const char *);
extern int tigetflag(const char *);
extern char *tigetstr(const char *);
// Hidden by the system's headers, depending on who included them first.
extern int wcwidth(wchar_t);

/// The columns curses reckons a character to take, -1 for one it cannot show.
static inline int cn_columns(wchar_t character) { return wcwidth(character); }

// MARK: Screen

/// Makes curses write a frame at once.
///
/// Until the screen has been left once, curses flushes at every cursor movement: dozens of small writes a frame. So it is
/// left here, without a word to the terminal; the first update takes it again.
static inline void cn_begin_running(int output) {
  int terminal = dup(output);
  int nowhere = open("/dev/null", O_WRONLY);
  if (terminal >= 0 && nowhere >= 0 && dup2(nowhere, output) >= 0) {
    endwin();
    dup2(terminal, output);
  }
  if (nowhere >= 0) close(nowhere);
  if (terminal >= 0) close(terminal);
}

/// Takes over the terminal on two descriptors (not owned; they are duplicated). NULL when it cannot.
static inline void *cn_open_screen(const char *type, int output, int input) {
  FILE *out = fdopen(dup(output), "w");
  FILE *in = fdopen(dup(input), "r");
  if (out == NULL || in == NULL) return NULL;
  // The kernel's idea of the size, not that of LINES and COLUMNS, which go stale.
  use_env(FALSE);
  use_tioctl(TRUE);
  SCREEN *screen = newterm(type, out, in);
  if (screen == NULL) return NULL;
  set_term(screen);
  raw();
  noecho();
  nonl();
  // No look at the input in the middle of a frame, which curses would break off.
  typeahead(-1);
  leaveok(stdscr, FALSE);
  scrollok(stdscr, FALSE);
  idlok(stdscr, FALSE);
  cn_begin_running(fileno(out));
  return screen;
}

/// Starts colours with the terminal's own as -1; returns how many pairs there are, 0 without colours.
static inline int cn_start_colors(void) {
  if (!has_colors() || start_color() == ERR) return 0;
  if (use_default_colors() == ERR) return 0;
  return COLOR_PAIRS;
}

static inline int cn_colors(void) { return COLORS; }

/// Makes the next update paint every cell.
static inline void cn_repaint_all(void) { clearok(curscr, TRUE); }

static inline void cn_erase(void) { werase(stdscr); }

/// Puts the cursor where the next update leaves it, and updates the terminal.
static inline void cn_update(int y, int x) {
  wmove(stdscr, y, x);
  wnoutrefresh(stdscr);
  doupdate();
}

/// Makes one cell of a base character and what combines with it.
static inline void cn_make_cell(cchar_t *cell, const wchar_t *text, attr_t attributes, int pair) {
  setcchar(cell, text, attributes, 0, &pair);
}

/// Makes one cell of an ASCII character.
static inline void cn_make_ascii_cell(cchar_t *cell, unsigned char character, attr_t attributes, int pair) {
  wchar_t text[2] = {character, 0};
  setcchar(cell, text, attributes, 0, &pair);
}

/// Puts cells side by side from (y, x), each as wide as the C library says.
static inline void cn_put_cells(int y, int x, const cchar_t *cells, int count) {
  mvwadd_wchnstr(stdscr, y, x, cells, count);
}

static inline attr_t cn_bold(void) { return A_BOLD; }
static inline attr_t cn_dim(void) { return A_DIM; }
static inline attr_t cn_underline(void) { return A_UNDERLINE; }
static inline attr_t cn_reverse(void) { return A_REVERSE; }
static inline attr_t cn_italic(void) { return A_ITALIC; }

// MARK: Descriptors

/// Columns in the high half, rows in the low one; 0 when the kernel does not know.
static inline unsigned cn_window_size(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return ((unsigned)size.ws_col << 16) | size.ws_row;
}

/// Bytes written that the other end has not read yet; 0 when the kernel does not know.
static inline int cn_output_queue(int descriptor) {
  int count = 0;
  return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : 0;
}

static inline int cn_open_controlling_terminal(void) { return open("/dev/tty", O_RDWR | O_CLOEXEC); }

/// Whether `read` would not wait: 1 for bytes or the end, 0 for nothing.
static inline int cn_is_readable(int descriptor) {
  struct pollfd entry = {.fd = descriptor, .events = POLLIN};
  return poll(&entry, 1, 0) > 0;
}

static inline int cn_errno(void) { return errno; }

/// The capability as a string, or NULL when the terminal lacks it.
static inline const char *cn_string_capability(const char *name) {
  const char *text = tigetstr(name);
  return text == (const char *)-1 ? NULL : text;
}

/// Takes the character type of the environment's locale; 1 when it is UTF-8.
static inline int cn_adopt_locale(const char *fallback) {
  if (setlocale(LC_CTYPE, "") == NULL && fallback != NULL) setlocale(LC_CTYPE, fallback);
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// MARK: Signals
//
// State below is of this file's includer: only CursesSignals.swift may call these functions, for a second object file
// would have state of its own.

struct cn_signal_state {
  int terminal;          // where `farewell` goes, -1 while the screen is not taken
  int pipe[2];           // signal numbers, from the handler to the run loop
  struct termios cooked; // the terminal's modes before
  char farewell[512];    // what gives the screen back
  size_t farewell_length;
  volatile sig_atomic_t fatal; // the signal that asked for the end
  struct sigaction earlier[65];
};

static struct cn_signal_state cn_signals = {.terminal = -1, .pipe = {-1, -1}};

/// Gives the screen back with async-signal-safe calls alone; never waits for a terminal that takes no bytes.
static void cn_say_farewell(void) {
  int terminal = cn_signals.terminal;
  if (terminal < 0) return;
  cn_signals.terminal = -1;
  struct pollfd entry = {.fd = terminal, .events = POLLOUT};
  if (poll(&entry, 1, 100) > 0 && (entry.revents & POLLOUT)) {
    ssize_t written = write(terminal, cn_signals.farewell, cn_signals.farewell_length);
    (void)written;
  }
  tcsetattr(terminal, TCSANOW, &cn_signals.cooked);
}

/// At an exit that forgot to give the screen back.
static void cn_at_exit(void) { cn_say_farewell(); }

static void cn_on_crash(int signal, siginfo_t *information, void *context) {
  (void)context;
  cn_say_farewell();
  // Whoever handled it before (a printer of backtraces, or the system) goes on. A fault comes again by itself, with its
  // address, when the instruction is repeated; what was sent must be sent again.
  sigaction(signal, &cn_signals.earlier[signal], NULL);
  if (signal != SIGTRAP && information->si_code > 0) return;
  sigset_t sent;
  sigemptyset(&sent);
  sigaddset(&sent, signal);
  pthread_sigmask(SIG_UNBLOCK, &sent, NULL);
  raise(signal);
  // A handler that only looked and came back leaves the end to the system.
  struct sigaction end = {.sa_handler = SIG_DFL};
  sigaction(signal, &end, NULL);
  raise(signal);
}

static void cn_on_alarm(int signal) {
  (void)signal;
  cn_say_farewell();
  _exit(128 + (cn_signals.fatal ? cn_signals.fatal : SIGHUP));
}

static void cn_on_signal(int signal) {
  int saved = errno;
  if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) {
    // A second request, or a run loop that does not get to the first in time, ends the process here.
    if (cn_signals.fatal) cn_on_alarm(signal);
    cn_signals.fatal = signal;
    alarm(signal == SIGHUP ? 10 : 3);
  }
  unsigned char byte = (unsigned char)signal;
  ssize_t written = write(cn_signals.pipe[1], &byte, 1);
  (void)written;
  errno = saved;
}

static inline void cn_handle(int signal, void (*handler)(int), int keep) {
  struct sigaction action, earlier;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  if (sigaction(signal, &action, &earlier) == 0 && keep) cn_signals.earlier[signal] = earlier;
}

/// Handles signals from now on; returns the descriptor that gives one byte, its number, for each. -1 on failure.
static inline int cn_install_signals(void) {
  if (cn_signals.pipe[0] < 0) {
    if (pipe2(cn_signals.pipe, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    atexit(cn_at_exit);
  }
  static const int watched[] = {SIGWINCH, SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGCONT};
  for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) cn_handle(watched[i], cn_on_signal, 1);
  cn_handle(SIGALRM, cn_on_alarm, 1);
  static char stack[64 * 1024];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack}, present;
  if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) sigaltstack(&alternate, NULL);
  static const int crashes[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGQUIT};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = cn_on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    sigaction(crashes[i], &action, &cn_signals.earlier[crashes[i]]);
  return cn_signals.pipe[0];
}

/// Puts the earlier handlers back.
static inline void cn_remove_signals(void) {
  static const int handled[] = {SIGWINCH, SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGCONT, SIGALRM,
                                SIGSEGV,  SIGABRT, SIGILL, SIGTRAP, SIGBUS,  SIGFPE, SIGQUIT};
  for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
    sigaction(handled[i], &cn_signals.earlier[handled[i]], NULL);
}

/// From now on a crash gives the screen on `terminal` back with `bytes` and the modes in `cooked`.
static inline void cn_arm_farewell(int terminal, const struct termios *cooked, const char *bytes, size_t length) {
  if (length > sizeof cn_signals.farewell) length = 0;
  memcpy(cn_signals.farewell, bytes, length);
  cn_signals.farewell_length = length;
  cn_signals.cooked = *cooked;
  cn_signals.terminal = terminal;
}

static inline void cn_disarm_farewell(void) { cn_signals.terminal = -1; }

/// Ends the process within `seconds` unless it ends by itself.
static inline void cn_end_within(unsigned seconds) {
  if (!cn_signals.fatal) cn_signals.fatal = SIGHUP;
  alarm(seconds);
}

/// Stops the process group as the terminal driver does for its suspend character; returns when it continues.
static inline void cn_stop_process_group(void) {
  cn_handle(SIGTSTP, SIG_DFL, 0);
  cn_handle(SIGCONT, SIG_DFL, 0);
  kill(0, SIGTSTP);
  cn_handle(SIGTSTP, cn_on_signal, 0);
  cn_handle(SIGCONT, cn_on_signal, 0);
}

#endif
