/// A name server that never answers, for tests: the look-up of a host below `silent.test` blocks
/// until it is released. Every other look-up is the system's.
#ifndef OFFREAD_SILENT_RESOLVER_H
#define OFFREAD_SILENT_RESOLVER_H

/// Waits until a look-up blocks.
void offread_silent_resolver_wait(void);

/// Lets every look-up that blocks fail, now and later.
void offread_silent_resolver_release(void);

#endif
