import Dispatch

/// An executor that runs loaders on threads of their own. Thus, loaders make progress even if an
/// application blocks the few threads of Swift concurrency while it waits for a response.
final class LoaderExecutor: TaskExecutor {
  static let shared = LoaderExecutor()

  private let queue = DispatchQueue(label: "offread.loaders", attributes: .concurrent)

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
