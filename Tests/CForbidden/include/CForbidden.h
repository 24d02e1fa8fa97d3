#pragma once

// Things that code which was taken over would try. Of each by its index: its name, NULL behind the last; and what comes
// of it here, 0 or an error of errno.
const char *forbidden_name(int index);
int forbidden_try(int index);
// The same of things that stay allowed.
const char *allowed_name(int index);
int allowed_try(int index);
