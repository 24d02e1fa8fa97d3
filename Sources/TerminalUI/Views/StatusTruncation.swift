/// Where a part of the status line may be truncated.
enum StatusTruncation {
  case never, end
  /// Characters in the middle are replaced by an ellipsis.
  case middle
}
