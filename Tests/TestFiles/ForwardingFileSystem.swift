package import Foundation
package import OfflineCache

/// A file system that forwards all calls that a test does not override.
package protocol ForwardingFileSystem: FileSystem {
  /// The underlying file system.
  var base: any FileSystem { get }
}

extension ForwardingFileSystem {
  package func open(_ path: String, _ flags: Int32) -> Int { base.open(path, flags) }

  package func openUnnamed(in directory: String) -> Int { base.openUnnamed(in: directory) }

  package func close(_ descriptor: Int32) { base.close(descriptor) }

  package func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> Int {
    base.read(descriptor, into: buffer, at: offset)
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int
  {
    base.write(descriptor, bytes, at: offset)
  }

  package func truncate(_ descriptor: Int32, to size: Int64) -> Int {
    base.truncate(descriptor, to: size)
  }

  package func sync(_ descriptor: Int32, isDirectory: Bool) -> Int {
    base.sync(descriptor, isDirectory: isDirectory)
  }

  package func lock(_ descriptor: Int32, _ operation: Int32) -> Int {
    base.lock(descriptor, operation)
  }

  package func lockDescription(_ descriptor: Int32, _ type: Int16, waits: Bool) -> Int {
    base.lockDescription(descriptor, type, waits: waits)
  }

  package func status(_ descriptor: Int32, _ status: inout stat) -> Int {
    base.status(descriptor, &status)
  }

  package func status(of path: String, _ status: inout stat) -> Int {
    base.status(of: path, &status)
  }

  package func access(_ path: String, _ mode: Int32) -> Int { base.access(path, mode) }

  package func setMode(of path: String, to mode: mode_t) -> Int { base.setMode(of: path, to: mode) }

  package func makeDirectory(_ path: String) -> Int { base.makeDirectory(path) }

  package func rename(_ path: String, to other: String) -> Int { base.rename(path, to: other) }

  package func link(_ path: String, to other: String) -> Int { base.link(path, to: other) }

  package func remove(_ path: String) -> Int { base.remove(path) }

  package func list(_ directory: String, _ each: (String) -> Void) -> Int {
    base.list(directory, each)
  }
}
