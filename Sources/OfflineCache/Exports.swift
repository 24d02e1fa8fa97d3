// The public interface of this module uses the types of these modules.
@_exported public import HTTPCaching
@_exported public import WebArchive
