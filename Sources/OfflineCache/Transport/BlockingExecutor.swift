import Dispatch

/// An executor that runs loaders and the sequences of uploads on threads of their own. Thus, they
/// make progress even if an application blocks the few threads of Swift concurrency while it waits
/// for a response, and they may block themselves.
final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()

  private let queue = DispatchQueue(label: "offread.loaders", attributes: .concurrent)

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
