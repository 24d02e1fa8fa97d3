// The names of version 1.0.0, so that programs written for it compile.

extension WARCDamage {
  /// The former name of `isTruncated`.
  @available(*, deprecated, renamed: "isTruncated")
  public var isCut: Bool {
    get { isTruncated }
    set { isTruncated = newValue }
  }
}

extension WARCReader {
  /// The former name of `maxHeadLength`.
  @available(*, deprecated, renamed: "maxHeadLength")
  public static var headLimit: Int { maxHeadLength }

  /// The former name of `maxBlockLength`.
  @available(*, deprecated, renamed: "maxBlockLength")
  public var blockLimit: Int64 {
    get { maxBlockLength }
    set { maxBlockLength = newValue }
  }
}
