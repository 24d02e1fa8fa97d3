public import Foundation

// The names of version 1.0.0, so that programs written for it compile.

/// The former name of `RejectionReason`.
@available(*, deprecated, renamed: "RejectionReason")
public typealias Suspicion = RejectionReason

extension StoredResponse {
  /// The former name of `importedFile`.
  @available(*, deprecated, renamed: "importedFile")
  public var foreignFile: String? {
    get { importedFile }
    set { importedFile = newValue }
  }

  /// The former name of `rejectionReason`.
  @available(*, deprecated, renamed: "rejectionReason")
  public var suspicion: RejectionReason? {
    get { rejectionReason }
    set { rejectionReason = newValue }
  }

  /// The former name of `lifetimeOverride`.
  @available(*, deprecated, renamed: "lifetimeOverride")
  public var ruledLifetime: Double? { lifetimeOverride }
}

extension Removal {
  /// The former name of `importedVersions`.
  @available(*, deprecated, renamed: "importedVersions")
  public var foreignVersions: Int {
    get { importedVersions }
    set { importedVersions = newValue }
  }

  /// The former name of `importedFiles`.
  @available(*, deprecated, renamed: "importedFiles")
  public var foreignFiles: [String] {
    get { importedFiles }
    set { importedFiles = newValue }
  }
}

extension Archive {
  /// The former name of `evict(_:now:isEvictionExempt:isDryRun:progress:)`.
  /// - Throws: The errors of that method.
  @available(*, deprecated, renamed: "evict(_:now:isEvictionExempt:isDryRun:progress:)")
  @_disfavoredOverload  // A trailing closure is passed to the present function.
  @discardableResult
  public func evict(
    _ limits: StorageLimits, now: Date, isKept: (String) -> Bool, isDryRun: Bool = false,
    progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Eviction {
    try evict(
      limits, now: now, isEvictionExempt: isKept, isDryRun: isDryRun, progress: progress)
  }

  /// The former name of `compact(limits:now:isEvictionExempt:isDryRun:progress:)`.
  /// - Throws: The errors of that method.
  @available(*, deprecated, renamed: "compact(limits:now:isEvictionExempt:isDryRun:progress:)")
  @_disfavoredOverload
  @discardableResult
  public func compact(
    limits: StorageLimits = StorageLimits(), now: Date, isKept: (String) -> Bool,
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Compaction {
    try compact(
      limits: limits, now: now, isEvictionExempt: isKept, isDryRun: isDryRun, progress: progress)
  }
}
