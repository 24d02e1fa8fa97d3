// The parts of ncurses that Swift cannot import (attribute macros, mutable globals, variadic
// functions), and the signal handlers that restore the terminal, which must be async-signal-safe.
#pragma once
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// Returns the ncurses attributes, with the arguments in the order of Theme.Attributes.
static inline attr_t offread_attributes(int bold, int italic, int underline, int reverse, int dim) {
  attr_t attributes = A_NORMAL;
  if (bold) attributes |= A_BOLD;
#ifdef A_ITALIC
  if (italic) attributes |= A_ITALIC;
#endif
  if (underline) attributes |= A_UNDERLINE;
  if (reverse) attributes |= A_REVERSE;
  if (dim) attributes |= A_DIM;
  return attributes;
}

// Returns the width of a character in columns by the table of the C library, which ncurses uses.
static inline int offread_columns(wchar_t character) { return wcwidth(character); }
static inline const char *offread_codeset(void) { return nl_langinfo(CODESET); }

static inline int offread_max_colors(void) { return tigetnum("colors"); }
// Returns the maximum number of colour pairs.
static inline int offread_most_pairs(void) { return COLOR_PAIRS > 4096 ? COLOR_PAIRS : 4096; }
static inline int offread_is_error(int result) { return result == ERR; }

// Writes one character with its combining marks to a position of the standard screen.
static inline void offread_put(int row, int column, const wchar_t *text, attr_t attributes, int pair) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, 0, &pair) == OK) mvadd_wch(row, column, &cell);
}

static inline void offread_enable_keypad(void) { keypad(stdscr, TRUE); }
// Forces rows to be written again, even if ncurses considers them unchanged.
static inline void offread_rewrite(int row, int count) { wredrawln(stdscr, row, count); }
static inline void offread_redraw(void) { clearok(curscr, TRUE); }

// Returns a string capability, or NULL if the terminal does not have it.
static inline const char *offread_capability(const char *name) {
  const char *text = tigetstr(name);
  return text == (const char *)-1 ? NULL : text;
}

// Makes ncurses keep the palette of the terminal, which it would reset to that of the terminal's
// settings whenever the screen is resumed: offread does not change the palette, but the user may
// have, from the shell.
static inline void offread_keep_palette(void) {
  char *reset = tigetstr("oc");
  if (reset != NULL && reset != (char *)-1) *reset = 0;
}

// Collects the control sequences that ncurses generates.
struct offread_sequence { size_t length; char bytes[512]; };

static inline struct offread_sequence *offread_sequence(void) {
  static struct offread_sequence sequence;
  return &sequence;
}

static int offread_collect(int byte) {
  struct offread_sequence *sequence = offread_sequence();
  if (sequence->length + 1 < sizeof sequence->bytes) sequence->bytes[sequence->length++] = (char)byte;
  return byte;
}

// Returns the sequences that move the cursor and set attributes, for text that is written without
// ncurses. ncurses knows about the attributes, but not about the position. Valid until the next
// call.
static inline const char *offread_place(int row, int column, attr_t attributes, int pair) {
  struct offread_sequence *sequence = offread_sequence();
  sequence->length = 0;
  const char *address = offread_capability("cup");
  if (address != NULL) tputs(tiparm(address, row, column), 1, offread_collect);
  vid_puts(attributes, (short)pair, &pair, offread_collect);
  sequence->bytes[sequence->length] = 0;
  return sequence->bytes;
}

// Returns whether a terminfo entry has the capabilities for drawing, -1 if there is no such entry;
// needs no initialised screen.
static inline int offread_can_draw(const char *term, int fd) {
  int error = 0;
  TERMINAL *previous = cur_term;
  if (setupterm((NCURSES_CONST char *)term, fd, &error) != OK) return error == 1 ? 0 : -1;
  int result = offread_capability("cup") != NULL && offread_capability("clear") != NULL;
  TERMINAL *probe = set_curterm(previous);
  if (probe != NULL) del_curterm(probe);
  return result;
}

// Reads capabilities of a terminal from terminfo. Returns 0 if it has no entry.
static inline int offread_describe(
    const char *term, int fd, int *colors, int *draws, int *alternate, int *mouse) {
  int error = 0;
  TERMINAL *previous = cur_term;
  if (setupterm((NCURSES_CONST char *)term, fd, &error) != OK) return 0;
  *colors = offread_max_colors();
  *draws = offread_capability("cup") != NULL && offread_capability("clear") != NULL;
  *alternate = offread_capability("smcup") != NULL;
  *mouse = offread_capability("kmous") != NULL;
  TERMINAL *probe = set_curterm(previous);
  if (probe != NULL) del_curterm(probe);
  return 1;
}

// MARK: Signals

// The state of the signal handlers, in a function because Swift does not import globals of a
// header.
struct offread_signal_state {
  volatile int wake_fd;
  volatile int tty_fd;
  volatile sig_atomic_t is_armed;
  struct termios termios;
  size_t length;
  char restore[512];
  char stack[65536];
};

static inline struct offread_signal_state *offread_state(void) {
  static struct offread_signal_state state = {-1, -1, 0};
  return &state;
}

// Restores the terminal to its original state, using only async-signal-safe functions.
static void offread_restore_terminal(void) {
  struct offread_signal_state *state = offread_state();
  if (!state->is_armed) return;
  state->is_armed = 0;
  size_t written = 0;
  while (written < state->length) {
    ssize_t count = write(state->tty_fd, state->restore + written, state->length - written);
    if (count > 0) written += (size_t)count;
    else if (count < 0 && errno == EINTR) continue;
    else break;
  }
  tcsetattr(state->tty_fd, TCSANOW, &state->termios);
}

// Signals that end the process, whether caused by a fault or sent. The terminal is restored, and
// the process ends by the signal.
#ifdef __linux__
#define OFFREAD_ENDS_HERE , SIGPOLL, SIGPWR, SIGSTKFLT
#else
#define OFFREAD_ENDS_HERE
#endif
#define OFFREAD_ENDS SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS, SIGQUIT, SIGUSR1, SIGUSR2, \
  SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU OFFREAD_ENDS_HERE
// Signals that the main loop handles, besides SIGHUP.
#define OFFREAD_MESSAGES SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT

static void offread_on_end(int number) {
  offread_restore_terminal();
  signal(number, SIG_DFL);
  raise(number);
}

// Writes the number of a signal to a pipe that the main loop reads.
static void offread_on_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  int wake_fd = offread_state()->wake_fd;
  if (wake_fd >= 0) (void)!write(wake_fd, &byte, 1);
  errno = saved;
}

static inline void offread_install(int number, void (*action)(int), int flags) {
  struct sigaction new_action;
  __builtin_memset(&new_action, 0, sizeof new_action);
  new_action.sa_handler = action;
  new_action.sa_flags = flags;
  sigemptyset(&new_action.sa_mask);
  sigaction(number, &new_action, NULL);
}

// Returns whether the parent process set a signal to be ignored.
static inline int offread_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

// Saves the state of the terminal, before ncurses changes it, and installs the signal handlers.
static inline void offread_catch_signals(int wake_fd, int tty_fd) {
  struct offread_signal_state *state = offread_state();
  state->wake_fd = wake_fd;
  state->tty_fd = tty_fd;
  tcgetattr(tty_fd, &state->termios);
  stack_t stack;
  __builtin_memset(&stack, 0, sizeof stack);
  stack.ss_sp = state->stack;
  stack.ss_size = sizeof state->stack;
  sigaltstack(&stack, NULL);
  const int ends[] = {OFFREAD_ENDS};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (!offread_is_ignored(ends[i])) offread_install(ends[i], offread_on_end, SA_ONSTACK | SA_NODEFER);
  const int messages[] = {SIGHUP, OFFREAD_MESSAGES};
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    offread_install(messages[i], offread_on_signal, SA_RESTART);
  // Unblocks the signals, because the parent process may have blocked them.
  sigset_t wanted;
  sigemptyset(&wanted);
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) sigaddset(&wanted, messages[i]);
  pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
  signal(SIGPIPE, SIG_IGN);
}

// Sets whether SIGTERM interrupts system calls that wait, if the handlers are installed.
static inline void offread_interrupt_waits(int is_interrupting) {
  if (offread_state()->wake_fd < 0) return;
  offread_install(SIGTERM, offread_on_signal, is_interrupting ? 0 : SA_RESTART);
}

// Sets the bytes that restore the terminal, and enables restoring.
static inline void offread_arm(const char *bytes, size_t length) {
  struct offread_signal_state *state = offread_state();
  if (length > sizeof state->restore) length = sizeof state->restore;
  __builtin_memcpy(state->restore, bytes, length);
  state->length = length;
  state->is_armed = 1;
}

static inline void offread_rearm(void) { offread_state()->is_armed = 1; }
static inline void offread_disarm(void) { offread_state()->is_armed = 0; }

// Resets the handlers of all signals except SIGHUP, which is ignored from here on: it is often sent
// twice, by the shell and by the kernel, and files that are being written must be completed.
static inline void offread_release_signals(void) {
  const int numbers[] = {OFFREAD_ENDS, OFFREAD_MESSAGES};
  signal(SIGHUP, SIG_IGN);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!offread_is_ignored(numbers[i])) signal(numbers[i], SIG_DFL);
  offread_state()->wake_fd = -1;
}

// Stops the process as the suspend key does, until the shell continues it. The signal is sent to
// this thread, so that the process stops before `raise` returns.
static inline void offread_stop_here(void) {
  signal(SIGTSTP, SIG_DFL);
  raise(SIGTSTP);
  offread_install(SIGTSTP, offread_on_signal, SA_RESTART);
}
