import Glibc
import ObjectStoreCore

/// Writes that share a commit, one of which needs more room than the file may take: prints which were written.
struct SharedCommits {
  let store: Store

  func run() async throws {
    let store = store
    try await store.write { tx in try tx.inserter(for: "Note").append([.int(-1), .int(0), .string("first")]) }
    var limit = rlimit(rlim_cur: 4_000_000, rlim_max: rlim_t.max)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return say("skipped") }
    await withTaskGroup(of: Void.self) { group in
      // Those that come meanwhile are one commit.
      group.addTask {
        try? await store.write { tx in
          try tx.inserter(for: "Note").append([.int(-2), .int(0), .string("held")])
          usleep(500_000)
        }
      }
      for task in 0..<12 {
        group.addTask {
          try? await _Concurrency.Task.sleep(for: .milliseconds(100))
          let text = String(repeating: "x", count: task == 5 ? 8_000_000 : 10)
          do {
            try await store.write { tx in
              try tx.inserter(for: "Note").append([.int(Int64(task)), .int(0), .string(text)])
            }
            say("\(task) written")
          } catch {
            say("\(task) refused")
          }
        }
      }
    }
  }
}
