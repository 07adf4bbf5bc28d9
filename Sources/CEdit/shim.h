// libedit, the line editor. Its calls take any number of arguments, which Swift cannot do: each that is used has a
// function here. No state is kept but what libedit keeps itself.
#pragma once

#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

typedef char *(*cedit_prompt)(EditLine *editor);
typedef unsigned char (*cedit_command)(EditLine *editor, int key);

/// An editor on the terminal with the keys of Emacs; `owner` is what `cedit_owner` gives back. NULL when it can't be had.
static inline EditLine *cedit_create(const char *name, cedit_prompt prompt, void *owner) {
  EditLine *editor = el_init(name, stdin, stdout, stderr);
  if (!editor) return NULL;
  el_set(editor, EL_CLIENTDATA, owner);
  el_set(editor, EL_PROMPT_ESC, prompt, '\1');
  el_set(editor, EL_EDITOR, "emacs");
  // Signals stay the program's own: Ctrl-C is a key while a line is edited, and a signal while a statement runs.
  el_set(editor, EL_SIGNAL, 0);
  el_set(editor, EL_SETTY, "-d", "-isig", NULL);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_set(editor, EL_BIND, "^W", "ed-delete-prev-word", NULL);
  return editor;
}

static inline void *cedit_owner(EditLine *editor) {
  void *owner = NULL;
  el_get(editor, EL_CLIENTDATA, &owner);
  return owner;
}

/// Binds a key, as libedit writes keys (`^I`), to a function of its own.
static inline void cedit_bind(EditLine *editor, const char *key, const char *name, cedit_command command) {
  el_set(editor, EL_ADDFN, name, name, command);
  el_set(editor, EL_BIND, key, name, NULL);
}

/// The next key, as a Unicode scalar; false at the end of the input.
static inline bool cedit_next_key(EditLine *editor, wchar_t *key) { return el_wgetc(editor, key) == 1; }

/// Gives the terminal back, as a program that is suspended must.
static inline void cedit_release(EditLine *editor) { el_set(editor, EL_PREP_TERM, 0); }

/// Takes the terminal over before the prompt is shown; libedit itself does so only after it, and a key pressed in between
/// would go to the terminal's driver.
static inline void cedit_prepare(EditLine *editor) {
  el_resize(editor);
  el_set(editor, EL_PREP_TERM, 1);
}

/// Reads the user's ~/.editrc.
static inline void cedit_read_preferences(EditLine *editor) { el_source(editor, NULL); }

/// A history of at most `size` lines, used by the editor's keys.
static inline History *cedit_create_history(EditLine *editor, int size) {
  History *lines = history_init();
  if (!lines) return NULL;
  HistEvent event;
  history(lines, &event, H_SETSIZE, size);
  history(lines, &event, H_SETUNIQUE, 1);
  el_set(editor, EL_HIST, history, lines);
  return lines;
}

static inline void cedit_history_add(History *lines, const char *line) {
  HistEvent event;
  history(lines, &event, H_ENTER, line);
}
/// The oldest line; NULL when there is none.
static inline const char *cedit_history_oldest(History *lines) {
  HistEvent event;
  return history(lines, &event, H_LAST) >= 0 ? event.str : NULL;
}
/// The line after the one that was asked for last; NULL after the newest.
static inline const char *cedit_history_newer(History *lines) {
  HistEvent event;
  return history(lines, &event, H_PREV) >= 0 ? event.str : NULL;
}
static inline bool cedit_history_load(History *lines, const char *path) {
  HistEvent event;
  return history(lines, &event, H_LOAD, path) >= 0;
}
static inline bool cedit_history_save(History *lines, const char *path) {
  HistEvent event;
  return history(lines, &event, H_SAVE, path) >= 0;
}

/// Only characters follow the user's locale; numbers stay as C writes them.
static inline bool cedit_use_locale(void) {
  if (setlocale(LC_CTYPE, "") && MB_CUR_MAX > 1) return true;
  return setlocale(LC_CTYPE, "C.UTF-8") != NULL;
}

// Only declared by <unistd.h> for GNU sources.
extern int pipe2(int ends[2], int flags);
/// A pipe whose ends other programs do not inherit.
static inline bool cedit_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) == 0; }
