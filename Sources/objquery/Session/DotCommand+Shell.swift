internal import Diagnostics
import ObjectStoreCore

/// The words of `.output` and `.once`.
private struct OutputTarget {
  let file: String?
  let replaces: Bool

  init(_ words: [String]) throws {
    replaces = words.first == "--overwrite"
    let files = replaces ? words.dropFirst() : words[...]
    guard files.count <= 1, !replaces || !files.isEmpty else {
      throw CommandFailure(description: "what follows is one file, perhaps after --overwrite")
    }
    file = files.first
  }
}

extension DotCommand {
  private static let overwriting = "A file with something in it is replaced with --overwrite only."

  /// Commands about the shell itself: result formats, output files, history.
  static let shell: [DotCommand] = [
    DotCommand(
      name: ".help", usage: "[TOPIC]", summary: "this list, or more on a command or topic", words: 0...1,
      completes: .words(HelpTexts.topics + ["mode"]), run: { try $0.print(HelpTexts.text($1.first)) }),
    DotCommand(
      name: ".mode", usage: "[MODE]", summary: "how results are shown: box csv json …",
      help: "Modes:\n"
        + OutputMode.allCases.map { "  \($0.rawValue.padded(to: 10))\($0.summary)" }.joined(separator: "\n"),
      words: 0...1, completes: .modes,
      run: { session, words in
        guard let word = words.first else { return try session.print(session.style.mode.rawValue) }
        session.style.mode = try OutputMode.named(word)
        session.explicitMode = true
        if session.style.mode != .html { try session.output.sink.endPage() }
      }),
    DotCommand(
      name: ".headers", usage: "on|off", summary: "whether tables and CSV name their columns", words: 1...1,
      completes: .onOff, run: { $0.style.headers = try Session.truth($1[0], for: ".headers") }),
    DotCommand(
      name: ".nullvalue", usage: "[TEXT]", summary: "what nil looks like; without text, each mode's own", words: 0...1,
      run: { $0.style.nullText = $1.first }),
    DotCommand(
      name: ".width", usage: "[COLUMNS]", summary: "how wide tables may be; without a number, as the screen",
      words: 0...1,
      run: { session, words in
        let columns = words.first.map { Int($0) ?? -1 }
        guard columns ?? 0 >= 0 else {
          throw CommandFailure(description: ".width takes a number of columns, not '\(words[0])'")
        }
        session.style.width = columns == 0 ? nil : columns
      }),
    DotCommand(
      name: ".maxrows", usage: "[ROWS]", summary: "how many rows of a long result are shown; 0 for all of them",
      help: """
        A terminal shows the first and the last rows of a long result, and how many there are between. .all shows the
        last result whole. Files and pipes always get all rows.
        """,
      words: 0...1,
      run: { session, words in
        guard let word = words.first else { return try session.print("\(session.maxRows)") }
        guard let rows = Int(word), rows >= 0 else {
          throw CommandFailure(description: ".maxrows takes a number of rows, 0 for all of them, not '\(word)'")
        }
        session.maxRows = rows
      }),
    DotCommand(
      name: ".all", usage: "", summary: "the last result with all its rows",
      run: { session, _ in
        try session.showLastQuery()
      }),
    DotCommand(
      name: ".pager", usage: "[on|off|COMMAND]", summary: "what shows results that are taller than the screen",
      help: """
          .pager on              $PAGER, else less
          .pager off             results just scroll by
          .pager 'less -RS +G'   a command of the shell
        """,
      isUnsafe: true, words: 0...Int.max, completes: .onOff,
      run: { session, words in
        switch words.first?.lowercased() {
        case nil: try session.print(session.pager.command ?? "off")
        case "on" where words.count == 1: session.pager = .environment
        case "off" where words.count == 1: session.pager = .none
        default: session.pager = .command(words.joined(separator: " "))
        }
      }),
    DotCommand(
      name: ".output", usage: "[[--overwrite] FILE]", summary: "write results to a file; without one, here again",
      help: overwriting, isUnsafe: true, words: 0...2, completes: .files,
      run: { session, words in
        let target = try OutputTarget(words)
        try session.output.redirect(to: target.file, replaces: target.replaces)
      }),
    DotCommand(
      name: ".once", usage: "[--overwrite] FILE", summary: "write the next result to a file", help: overwriting,
      isUnsafe: true, words: 1...2, completes: .files,
      run: { session, words in
        let target = try OutputTarget(words)
        guard let file = target.file else { throw CommandFailure(description: "usage: .once [--overwrite] FILE") }
        try session.output.redirectOnce(to: file, replaces: target.replaces)
      }),
    DotCommand(
      name: ".read", usage: "FILE", summary: "run the statements of a file", isUnsafe: true, words: 1...1,
      completes: .files,
      run: { session, words in
        let script = try TextFile.read(words[0])
        guard session.run(script: script, name: words[0]) || !session.bails else { throw AlreadyTold() }
      }),
    DotCommand(
      name: ".param", usage: "set NAME=VALUE | set NAME:TYPE=VALUE | list | unset NAME",
      summary: "values for $name in statements",
      help: """
        A value is never part of the text: it cannot change what a statement means.
          .param set min=5                  takes the type of what it is compared with
          .param set since:date=2018-02-07  types: \(ParameterType.allCases.map(\.rawValue).joined(separator: " "))
          Quake WHERE mag > $min AND time > $since
        """,
      words: 1...Int.max, completes: .words(["set", "list", "unset"]), run: { try $0.parameterCommand($1) }),
    DotCommand(
      name: ".let", usage: "", summary: "the predicates named by LET",
      run: { session, _ in
        let lines = session.statements.definitions.sorted { $0.key < $1.key }.map { name, predicate in
          "LET \(name) = \(predicate.predicateFormat)"
        }
        try session.print(lines.joined(separator: "\n"))
      }),
    DotCommand(
      name: ".timer", usage: "on|off", summary: "say how long each statement took",
      help: """
        The time of a statement is all of it: reading it, planning, finding, and writing the results out.
        The time in a plan of EXPLAIN ANALYZE is that of running the plan alone: finding the objects, with none shown.
        """,
      words: 1...1, completes: .onOff,
      run: { $0.showsTime = try Session.truth($1[0], for: ".timer") }),
    DotCommand(
      name: ".explain", usage: "on|off|analyze", summary: "show plans instead of results",
      help: """
        As EXPLAIN before each query, and analyze as EXPLAIN ANALYZE: with figures, and the time that running the plan
        took (see .help timer for all of a statement).
        """,
      words: 1...1, completes: .words(["on", "off", "analyze"]),
      run: { session, words in
        guard let choice = Session.Explaining(rawValue: words[0].lowercased()) else {
          throw CommandFailure(description: ".explain is on, off or analyze, not '\(words[0])'")
        }
        session.explaining = choice
      }),
    DotCommand(
      name: ".history", usage: "[COUNT]", summary: "what was typed, the latest last", words: 0...1,
      run: { session, words in
        let count = words.first.map { Int($0) ?? -1 } ?? Int.max
        guard count >= 0 else {
          throw CommandFailure(description: ".history takes a number of lines, not '\(words[0])'")
        }
        try session.print(session.history().suffix(count).joined(separator: "\n"))
      }),
    DotCommand(
      name: ".fix", usage: "", summary: "edit the last statement, mended; or Tab on an empty line",
      run: { session, _ in
        guard let mended = session.mended else {
          throw CommandFailure(description: "there is no fix for the last statement", code: "no-fix")
        }
        // Where nobody edits it, it is shown.
        if session.isInteractive { session.lineToEdit = mended } else { try session.print(mended) }
      }),
    DotCommand(
      name: ".print", usage: "[TEXT]", summary: "show a text", words: 0...Int.max,
      run: { session, words in try session.print(words.joined(separator: " ") + "\n") }),
    DotCommand(
      name: ".prompt", usage: "[TEXT]", summary: "what stands before the line that is typed; without a text, as usual",
      help: "In the text "
        + PromptText.signs.map { "\($0) is \($1)" }.joined(separator: ", ") + ":\n  .prompt '%s:%e%t $ '",
      words: 0...Int.max, run: { $0.prompt = $1.isEmpty ? nil : $1.joined(separator: " ") }),
    DotCommand(
      name: ".shell", usage: "COMMAND", summary: "run a command of the system", isUnsafe: true, words: 1...1,
      statementAfter: 0, completes: .files,
      run: { session, words in
        try session.output.flush()
        guard let process = ShellProcess(words[0]) else {
          throw CommandFailure(description: "cannot run /bin/sh")
        }
        let status = process.wait()
        if status != 0 { throw CommandFailure(description: "the command ended with \(status)", code: "shell-command") }
      }),
    DotCommand(
      name: ".quit", usage: "", summary: "leave; so does Ctrl-D", run: { session, _ in session.isFinished = true }),
  ]
}

/// Thrown when an error has already been reported and only the failure must be passed on.
struct AlreadyTold: Error {}

extension Session {
  fileprivate func parameterCommand(_ words: [String]) throws {
    let rest = words.dropFirst().joined(separator: " ")
    switch words[0].lowercased() {
    // With a space instead of the =, as other shells have it.
    case "set" where words.count == 3 && !words[1].contains("="): try parameters.add("\(words[1])=\(words[2])")
    case "set" where !rest.isEmpty: try parameters.add(rest)
    case "unset" where !rest.isEmpty:
      guard parameters.named.removeValue(forKey: rest) != nil else {
        throw CommandFailure(description: "there is no parameter '\(rest)'")
      }
    case "list" where rest.isEmpty:
      let lines = parameters.named.sorted { $0.key < $1.key }.map { name, parameter in
        "$\(name)\(parameter.type.map { ":" + $0.rawValue } ?? "") = \(parameter.text)"
      }
      try print(lines.joined(separator: "\n"))
    default: throw CommandFailure(description: "usage: .param set NAME=VALUE | list | unset NAME")
    }
  }
}

extension OutputMode {
  /// The mode of that name.
  static func named(_ name: String) throws -> OutputMode {
    if let mode = OutputMode(rawValue: name.lowercased()) { return mode }
    let all = allCases.map(\.rawValue)
    let guess = Suggestion.nearest(to: name, among: all).map { "; did you mean \($0)?" } ?? ";"
    throw CommandFailure(description: "there is no mode '\(name)'\(guess) the modes are \(all.joined(separator: " "))")
  }
}

extension String {
  /// The text padded with spaces to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - Screen.width(self))) }
}
