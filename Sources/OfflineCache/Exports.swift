// The vocabulary of HTTP and what the archive gives are part of what this module says.
@_exported public import HTTPCaching
@_exported public import WebArchive
