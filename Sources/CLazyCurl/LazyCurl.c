#if defined(__linux__)

/* Opens libcurl at the first request. It depends on some thirty libraries, whose loading took half
   of the start of the program, and local files and saved pages do not need it. FoundationNetworking
   creates a multi handle for every session, so a multi handle only records its options until it
   gets a request.

   The functions have the names of those in libcurl and are hidden. Statically linked code uses
   these; libcurl itself and shared libraries use those of libcurl. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Older headers declare this function with a parameter that is not const. */
#define curl_url_get curl_url_get_of_header
#define CURL_DISABLE_TYPECHECK
#pragma GCC visibility push(hidden)
#include <curl/curl.h>
#undef curl_url_get
CURLUcode curl_url_get(const CURLU *url, CURLUPart part, char **text, unsigned int flags);
#pragma GCC visibility pop

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define FUNCTIONS(F)                                                                               \
  F(curl_easy_cleanup)                                                                             \
  F(curl_easy_getinfo)                                                                             \
  F(curl_easy_init)                                                                                \
  F(curl_easy_pause)                                                                               \
  F(curl_easy_setopt)                                                                              \
  F(curl_easy_strerror)                                                                            \
  F(curl_free)                                                                                     \
  F(curl_global_init)                                                                              \
  F(curl_multi_add_handle)                                                                         \
  F(curl_multi_assign)                                                                             \
  F(curl_multi_cleanup)                                                                            \
  F(curl_multi_info_read)                                                                          \
  F(curl_multi_init)                                                                               \
  F(curl_multi_perform)                                                                            \
  F(curl_multi_poll)                                                                               \
  F(curl_multi_remove_handle)                                                                      \
  F(curl_multi_setopt)                                                                             \
  F(curl_multi_socket_action)                                                                      \
  F(curl_multi_wakeup)                                                                             \
  F(curl_slist_append)                                                                             \
  F(curl_slist_free_all)                                                                           \
  F(curl_url)                                                                                      \
  F(curl_url_get)                                                                                  \
  F(curl_url_set)                                                                                  \
  F(curl_version)                                                                                  \
  F(curl_version_info)

/* The functions of libcurl, once it is open. */
static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
} library;

static bool is_usable;

static void open_library(void) {
  void *file = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!file) return;
#define FIND(name)                                                                                 \
  if (!(library.name = (__typeof__(name) *)dlsym(file, #name))) return;
  FUNCTIONS(FIND)
  is_usable = library.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

/* Opens libcurl at the first call. Returns false if it is not installed or lacks a function. */
static bool is_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return is_usable;
}

CURLcode curl_global_init(long flags) {
  (void)flags; /* open_library initialises everything */
  return CURLE_OK;
}

char *curl_version(void) { return is_open() ? library.curl_version() : "libcurl"; }

curl_version_info_data *curl_version_info(CURLversion version) {
  return is_open() ? library.curl_version_info(version) : NULL;
}

/* Multi handles. */

#define MOST_OPTIONS 16

/* The first word of the handles returned here. Handles of libcurl have another one, so functions of
   libcurl that have no counterpart here reject these handles, and the functions here reject
   others. */
#define MAGIC 0x0ff11e5u

struct multi {
  unsigned int magic;
  /* The handle of libcurl, once there is a request. */
  _Atomic(CURLM *) handle;
  pthread_mutex_t lock;
  int count;
  struct {
    CURLMoption option;
    void *value;
  } options[MOST_OPTIONS];
};

CURLM *curl_multi_init(void) {
  struct multi *multi = calloc(1, sizeof *multi);
  if (multi && pthread_mutex_init(&multi->lock, NULL)) {
    free(multi);
    return NULL;
  }
  if (multi) multi->magic = MAGIC;
  return (CURLM *)multi;
}

static struct multi *own(CURLM *noted) {
  struct multi *multi = (struct multi *)noted;
  return multi && multi->magic == MAGIC ? multi : NULL;
}

/* Returns the handle of libcurl, creating it if necessary; NULL if that fails. */
static CURLM *made(CURLM *noted) {
  struct multi *multi = own(noted);
  if (!multi) return NULL;
  CURLM *handle = atomic_load(&multi->handle);
  if (handle || !is_open()) return handle;
  pthread_mutex_lock(&multi->lock);
  handle = atomic_load(&multi->handle);
  if (!handle && (handle = library.curl_multi_init())) {
    for (int index = 0; index < multi->count; index++)
      library.curl_multi_setopt(handle, multi->options[index].option, multi->options[index].value);
    atomic_store(&multi->handle, handle);
  }
  pthread_mutex_unlock(&multi->lock);
  return handle;
}

/* Returns the error code for a handle without a handle of libcurl. */
static CURLMcode refusal(CURLM *noted) {
  return own(noted) ? CURLM_INTERNAL_ERROR : CURLM_BAD_HANDLE;
}

/* Values are a long, a pointer or a curl_off_t, which are passed in the same way. */
_Static_assert(sizeof(void *) == sizeof(curl_off_t) && sizeof(long) == sizeof(curl_off_t), "LP64");

CURLMcode curl_multi_setopt(CURLM *noted, CURLMoption option, ...) {
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  struct multi *multi = own(noted);
  if (!multi) return CURLM_BAD_HANDLE;
  pthread_mutex_lock(&multi->lock);
  bool is_noted = !atomic_load(&multi->handle) && multi->count < MOST_OPTIONS;
  if (is_noted) {
    multi->options[multi->count].option = option;
    multi->options[multi->count++].value = value;
  }
  pthread_mutex_unlock(&multi->lock);
  if (is_noted) return CURLM_OK;
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_setopt(handle, option, value) : refusal(noted);
}

CURLMcode curl_multi_cleanup(CURLM *noted) {
  struct multi *multi = own(noted);
  if (!multi) return CURLM_BAD_HANDLE;
  CURLM *handle = atomic_load(&multi->handle);
  CURLMcode code = handle ? library.curl_multi_cleanup(handle) : CURLM_OK;
  pthread_mutex_destroy(&multi->lock);
  multi->magic = 0;
  free(multi);
  return code;
}

CURLMcode curl_multi_add_handle(CURLM *noted, CURL *easy) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_add_handle(handle, easy) : refusal(noted);
}

CURLMcode curl_multi_remove_handle(CURLM *noted, CURL *easy) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_remove_handle(handle, easy) : refusal(noted);
}

CURLMcode curl_multi_assign(CURLM *noted, curl_socket_t socket, void *context) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_assign(handle, socket, context) : refusal(noted);
}

CURLMcode curl_multi_socket_action(CURLM *noted, curl_socket_t socket, int events, int *running) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_socket_action(handle, socket, events, running)
                : refusal(noted);
}

CURLMcode curl_multi_perform(CURLM *noted, int *running) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_perform(handle, running) : refusal(noted);
}

CURLMcode curl_multi_poll(
    CURLM *noted, struct curl_waitfd more[], unsigned int count, int timeout, int *ready) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_poll(handle, more, count, timeout, ready)
                : refusal(noted);
}

CURLMcode curl_multi_wakeup(CURLM *noted) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_wakeup(handle) : refusal(noted);
}

CURLMsg *curl_multi_info_read(CURLM *noted, int *left) {
  CURLM *handle = made(noted);
  return handle ? library.curl_multi_info_read(handle, left) : NULL;
}

/* Easy handles, which exist only if libcurl is open. */

CURL *curl_easy_init(void) { return is_open() ? library.curl_easy_init() : NULL; }

void curl_easy_cleanup(CURL *easy) {
  if (easy) library.curl_easy_cleanup(easy);
}

CURLcode curl_easy_pause(CURL *easy, int mask) { return library.curl_easy_pause(easy, mask); }

CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...) {
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  return easy ? library.curl_easy_setopt(easy, option, value) : CURLE_BAD_FUNCTION_ARGUMENT;
}

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO what, ...) {
  va_list arguments;
  va_start(arguments, what);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  return easy ? library.curl_easy_getinfo(easy, what, value) : CURLE_BAD_FUNCTION_ARGUMENT;
}

const char *curl_easy_strerror(CURLcode code) {
  return is_open() ? library.curl_easy_strerror(code) : "libcurl is not installed";
}

/* Functions without a handle. */

void curl_free(void *bytes) {
  if (bytes) library.curl_free(bytes);
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  return is_open() ? library.curl_slist_append(list, text) : NULL;
}

void curl_slist_free_all(struct curl_slist *list) {
  if (list) library.curl_slist_free_all(list);
}

CURLU *curl_url(void) { return is_open() ? library.curl_url() : NULL; }

CURLUcode curl_url_get(const CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return url ? library.curl_url_get(url, part, text, flags) : CURLUE_BAD_HANDLE;
}

CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return url ? library.curl_url_set(url, part, text, flags) : CURLUE_BAD_HANDLE;
}

#endif
