#define _GNU_SOURCE
#include "silent_resolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_blocking;
static int is_released;

void offread_silent_resolver_wait(void) {
  pthread_mutex_lock(&lock);
  while (!is_blocking) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

void offread_silent_resolver_release(void) {
  pthread_mutex_lock(&lock);
  is_released = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

#ifdef __linux__
/* The program's own symbol comes before the C library's, also for the calls of libcurl. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
  static const char silent[] = ".silent.test";
  size_t length = node ? strlen(node) : 0;
  if (length > sizeof silent - 1 && strcmp(node + length - (sizeof silent - 1), silent) == 0) {
    pthread_mutex_lock(&lock);
    is_blocking = 1;
    pthread_cond_broadcast(&changed);
    while (!is_released) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return EAI_AGAIN;
  }
  int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
      (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(
          RTLD_NEXT, "getaddrinfo");
  return next ? next(node, service, hints, result) : EAI_SYSTEM;
}
#endif
