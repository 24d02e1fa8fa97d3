import Foundation
import Platform
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What all sessions of the cache have in common.
package enum SessionConfiguration {
  private static let leavesNoFolders = Atomic(false)

  /// Says, before the first load, that FoundationNetworking is to leave no folders behind. With every
  /// configuration it makes one for a cache and one for cookies in the person's own folders, whether or
  /// not they are ever used.
  ///
  /// For programs, not for libraries: where the folders would be is told by variables of the
  /// environment, which are others for the moment of the first load.
  package static func leaveNoFolders() {
    leavesNoFolders.store(true, ordering: .relaxed)
  }

  /// Made once: the system's way to make one searches the environment for a cache folder, which
  /// takes longer than a session. Each session copies it.
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
      // Swift gives `environ` for reading only.
      guard leavesNoFolders.load(ordering: .relaxed),
        let environment = dlsym(nil, "environ")?.assumingMemoryBound(to: Variables?.self)
      else { return .ephemeral }
      // The folder for cookies has the name of the one that the program is in, without a suffix: beside
      // that one it is there already. Below what is no folder nothing is made.
      let place = URL(fileURLWithPath: Bundle.main.bundlePath)
      let isNamedSo = !place.lastPathComponent.contains(".")
      let others = [
        "XDG_CACHE_HOME": "/dev/null",
        "XDG_DATA_HOME": isNamedSo ? place.deletingLastPathComponent().path : "/dev/null",
      ]
      // Another table of variables, not other variables in this one: what a thread reads meanwhile stays
      // where it is.
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
