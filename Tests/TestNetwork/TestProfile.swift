package import Configuration
package import Foundation
package import OfflineCache
package import Profiles

/// A profile with a network in memory, whose directory is deleted with the last reference.
package final class TestProfile: Sendable {
  package let directory: URL
  /// The name of the device, or nil for the actual one.
  private let device: String?

  package init(device: String? = nil) throws {
    self.device = device
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread profile \(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  package func open(
    _ network: any Transport, settings: Settings = Settings(),
    files: any FileSystem = LocalFileSystem(), device: String? = nil
  ) -> Profile {
    var locations = Locations(dataDirectory: directory.path, environment: [:])
    locations.device = device ?? self.device
    return Profile(
      locations: locations, shared: nil, settings: settings, transport: network, files: files)
  }
}
