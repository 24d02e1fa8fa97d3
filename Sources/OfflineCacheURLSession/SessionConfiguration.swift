import Foundation
import Platform
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The configuration common to all sessions of the cache.
package enum SessionConfiguration {
  private static let leavesNoFolders = Atomic(false)

  /// Prevents FoundationNetworking from creating directories; call it before the first load. For
  /// every configuration it creates one directory for a cache and one for cookies in the user's own
  /// directories, even if they are never used.
  ///
  /// This is intended for programs rather than libraries: it temporarily changes the environment
  /// variables that determine these directories, during the first load.
  package static func leaveNoFolders() {
    leavesNoFolders.store(true, ordering: .relaxed)
  }

  /// The configuration, created once: the system's initializer searches for a cache directory,
  /// which takes longer than creating a session. Each session copies it.
  static let shared: URLSessionConfiguration = {
    let configuration = make()
    configuration.protocolClasses = [HopURLProtocol.self]
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    return configuration
  }()

  private static func make() -> URLSessionConfiguration {
    #if canImport(FoundationNetworking)
      typealias Variables = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
      // Swift exposes `environ` as read-only.
      guard leavesNoFolders.load(ordering: .relaxed),
        let environment = dlsym(nil, "environ")?.assumingMemoryBound(to: Variables?.self)
      else { return .ephemeral }
      // The cookie directory has the name of the directory that contains the program, without a
      // suffix. With that directory's parent as the base, it already exists. Below a path that is
      // not a directory, nothing is created.
      let place = URL(fileURLWithPath: Bundle.main.bundlePath)
      let isNamedSo = !place.lastPathComponent.contains(".")
      let others = [
        "XDG_CACHE_HOME": "/dev/null",
        "XDG_DATA_HOME": isNamedSo ? place.deletingLastPathComponent().path : "/dev/null",
      ]
      // The whole table is replaced instead of modified, so that variables that other threads are
      // reading stay valid.
      let former = environment.pointee
      var variables = others.map { strdup("\($0.key)=\($0.value)") }
      var index = 0
      while let former, let variable = former[index] {
        let name = String(cString: variable).prefix { $0 != "=" }
        if others[String(name)] == nil { variables.append(variable) }
        index += 1
      }
      let table = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
        .allocate(capacity: variables.count + 1)
      _ = table.initialize(from: variables + [nil])
      environment.pointee = table.baseAddress
      defer { environment.pointee = former }
    #endif
    return .ephemeral
  }
}
