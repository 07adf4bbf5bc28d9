import Glibc

/// The user's commands and statements that run before the first prompt: `$XDG_CONFIG_HOME/objquery/rc`, else
/// `~/.config/objquery/rc`, else `~/.objqueryrc`.
enum StartFile {
  /// The file that is there; nil when there is none.
  static var path: String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = variable("HOME")
    let folder = variable("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
    let places = [folder.map { $0 + "/objquery/rc" }, home.map { $0 + "/.objqueryrc" }]
    return places.compactMap(\.self).first { access($0, F_OK) == 0 }
  }

  /// Runs it. Its errors are reported, with its lines.
  static func run(in session: Session) {
    guard let path else { return }
    do {
      session.run(script: try TextFile.read(path), name: path)
    } catch {
      session.console.report(error)
    }
  }
}
