#pragma once
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call:
   one static inline function per argument type. */
static inline CURLcode offread_setopt_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode offread_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode offread_setopt_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode offread_setopt_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode offread_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
typedef size_t (*offread_data_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode offread_setopt_data_callback(CURL *handle, CURLoption option,
                                                    offread_data_callback value) {
  return curl_easy_setopt(handle, option, value);
}
typedef int (*offread_seek_callback)(void *context, curl_off_t offset, int origin);
static inline CURLcode offread_setopt_seek_callback(CURL *handle, CURLoption option,
                                                    offread_seek_callback value) {
  return curl_easy_setopt(handle, option, value);
}
typedef curl_socket_t (*offread_socket_callback)(void *context, curlsocktype purpose,
                                                 struct curl_sockaddr *address);
static inline CURLcode offread_setopt_socket_callback(CURL *handle, CURLoption option,
                                                      offread_socket_callback value) {
  return curl_easy_setopt(handle, option, value);
}
/* Creates the socket for an address as libcurl does, with close-on-exec. It is not defined in this
   header, because the socket constants would become part of this module. */
curl_socket_t offread_open_socket(const struct curl_sockaddr *address);
typedef int (*offread_request_callback)(void *context, char *theirs, char *ours, int their_port,
                                        int our_port);
static inline CURLcode offread_setopt_request_callback(CURL *handle, CURLoption option,
                                                       offread_request_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode offread_getinfo_long(CURL *handle, CURLINFO what, long *value) {
  return curl_easy_getinfo(handle, what, value);
}
static inline CURLcode offread_getinfo_offset(CURL *handle, CURLINFO what, curl_off_t *value) {
  return curl_easy_getinfo(handle, what, value);
}
static inline CURLcode offread_getinfo_string(CURL *handle, CURLINFO what, const char **value) {
  return curl_easy_getinfo(handle, what, value);
}
static inline CURLcode offread_getinfo_pointer(CURL *handle, CURLINFO what, void **value) {
  return curl_easy_getinfo(handle, what, value);
}
static inline CURLMcode offread_multi_setopt_long(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}
/* CURLMsg contains a union, which is awkward to read in Swift. */
static inline CURLcode offread_message_result(const CURLMsg *message) { return message->data.result; }
