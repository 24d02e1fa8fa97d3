// The vocabulary of HTTP is part of what this module says.
@_exported public import HTTPCaching
