// The public API of this module uses the HTTP types of HTTPCaching.
@_exported public import HTTPCaching
