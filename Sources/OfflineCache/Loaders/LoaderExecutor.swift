import Dispatch

/// Where loaders run: threads of their own, so that an application which blocks the few threads of
/// Swift concurrency while it waits for an answer gets the answer all the same.
final class LoaderExecutor: TaskExecutor {
  static let shared = LoaderExecutor()

  private let queue = DispatchQueue(label: "offread.loaders", attributes: .concurrent)

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
