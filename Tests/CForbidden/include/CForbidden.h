#pragma once

// Operations that compromised code would try, by index: the name of each (NULL after the last one),
// and the result of trying it in this process, 0 or an errno value.
const char *forbidden_name(int index);
int forbidden_try(int index);
// The same for operations that remain allowed.
const char *allowed_name(int index);
int allowed_try(int index);
