import Foundation
import Testing

/// A disk without room: what cannot be made is named, nothing is left of it, and nothing is said of commits that there
/// never were.
@Suite struct FullDiskTests {
  /// Runs a script on a small disk of its own, which is full: `$1` is its folder, `$2` the command. nil, and said, where
  /// that is not allowed.
  private func onFullDisk(_ script: String) throws -> Command.Outcome? {
    let workshop = try Workshop()
    let outcome = try Command.run(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        """
        unshare -m sh -c '
          mount --make-rprivate / && mount -t tmpfs -o size=1m tmpfs "$1" || exit 99
          mkdir "$1/rows" && echo "{\\"n\\":1}" > "$1/rows/x.jsonl" || exit 98
          dd if=/dev/zero of="$1/filler" bs=4096 2>"$1/rows/dd"
          \(script)' sh "$1" "$2" || exit $?
        """, "sh", workshop.path, try Command.binary().path,
      ])
    if outcome.status == 99 || outcome.status == 1 && outcome.errors.contains("unshare") {
      print("SKIPPED: a full disk: no right to mount")
      return nil
    }
    return outcome
  }

  @Test(arguments: [
    #""$2" import "$1/store" "$1/rows/x.jsonl" Thing; echo "status $?"; ls "$1""#,
    #""$2" --create "$1/store" -c "COUNT Thing"; echo "status $?"; ls "$1""#,
  ])
  func aStoreIsNotMade(_ script: String) throws {
    guard let outcome = try onFullDisk(script) else { return }
    #expect(outcome.output == "status 2\nfiller\nrows\n", "\(outcome)")
    #expect(outcome.errors.contains("/store' failed: there is no room to make a store; free some space"), "\(outcome)")
    #expect(!outcome.errors.contains("commit"), "\(outcome)")
  }

  /// The control: with room it is made.
  @Test func withRoomItIsMade() throws {
    let script = #"rm "$1/filler"; "$2" import --quiet "$1/store" "$1/rows/x.jsonl" Thing; echo "status $?"; ls "$1""#
    guard let outcome = try onFullDisk(script) else { return }
    #expect(outcome.output == "status 0\nrows\nstore\n", "\(outcome)")
  }
}
