/// A name server that never responds, for tests: the lookup of a host below `silent.test` blocks
/// until it is released. All other lookups are performed by the system.
#ifndef OFFREAD_SILENT_RESOLVER_H
#define OFFREAD_SILENT_RESOLVER_H

/// Waits until a lookup blocks.
void offread_silent_resolver_wait(void);

/// Makes all blocked lookups fail, and all later ones.
void offread_silent_resolver_release(void);

#endif
