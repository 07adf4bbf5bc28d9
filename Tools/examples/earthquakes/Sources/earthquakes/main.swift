import Foundation
import ObjectStore

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let store = try Store(options.store, models: Quake.self)
  if let feed = options.feed { try Feed.load(feed, into: store) }
  let latest = try store.objects(Quake.self).max(of: \.time)
  let browser = try Browser(store, options.choice(latest: latest))
  if options.isOnce {
    try await browser.showOnce()
    print(Frame(browser, width: 80, height: 24).lines.joined(separator: "\n"))
  } else if let terminal = Terminal() {
    defer { terminal.close() }
    browser.onChange = { [unowned browser] in
      let size = terminal.size
      terminal.show(Frame(browser, width: size.width, height: size.height).lines)
    }
    let following = Task {
      do { try await browser.follow() } catch { browser.show(error) }
    }
    for await key in terminal.keys {
      guard try browser.press(key) else { break }
    }
    following.cancel()
  } else {
    throw Options.Mistake("there is no terminal; --once prints one screen")
  }
} catch {
  FileHandle.standardError.write(Data("earthquakes: \(error.localizedDescription)\n".utf8))
  exit(1)
}
