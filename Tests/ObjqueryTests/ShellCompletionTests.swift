import ArgumentParser
import Foundation
import Testing

@testable import objquery

/// What Tab gives in shells: the answers of the command, and the scripts run by the shells themselves.
@Suite struct ShellCompletionTests {
  let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    let data = try workshop.file("towns.csv", "code,name,size\na,Ano,1\nb,Bee,2\n")
    let outcome = try Command.run([
      "import", "--quiet", workshop.path + "/towns.store", data, "Town", "--key", "code", "--index", "name,size+name",
    ])
    #expect(outcome.status == 0, "\(outcome)")
  }

  /// The candidates for the last word of a line, without descriptions.
  private func complete(_ line: String..., shell: CompletionScript.Shell = .zsh) throws -> [String] {
    let words = line.map { $0.replacing("STORE", with: workshop.path + "/towns.store") }
    return try ShellCompletion(shell).lines(words, at: words.count - 1).map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func theFirstWordIsASubcommandOrAStore() throws {
    #expect(try complete("sal") == ["salvage", ":files"])
    let all = try complete("")
    for subcommand in ShellCommand.configuration.subcommands { #expect(all.contains(subcommand._commandName)) }
    #expect(try complete("help", "re") == ["reindex"])
  }

  @Test(arguments: ShellCommand.configuration.subcommands.map { $0._commandName })
  func everySubcommandCompletesItsOptionsAndItsStore(_ name: String) throws {
    let tree = try #require(try CommandTree.whole().subcommand(name))
    let offered = try complete(name, "--")
    for argument in tree.declaredArguments {
      for word in argument.words where word.hasPrefix("--") { #expect(offered.contains(word)) }
    }
    #expect(try complete(name, "") == [":folders"])
  }

  @Test func valuesAreThoseOfTheDeclarations() throws {
    #expect(try complete("describe", "--mode", "js") == ["json", "jsonl"])
    #expect(try complete("describe", "--mode=js") == ["--mode=json", "--mode=jsonl"])
    #expect(try complete("check", "--color", "") == ["auto", "always", "never"])
    #expect(try complete("import", "--encoding", "lat") == ["latin1"])
    #expect(try complete("migrate", "STORE", "--schema", "") == [":files"])
    #expect(try complete("-f", "") == [":files"])
    #expect(try complete("--generate-completion-script", "z") == ["zsh"])
    // One that was given is not offered again, unless it may be repeated.
    #expect(try complete("import", "--key", "a", "--ke") == ["--keep"])
    #expect(try complete("import", "--index", "a", "--ind") == ["--index"])
    // After -- there are no options.
    #expect(try complete("check", "--", "--qu") == [":folders"])
  }

  @Test func wordsOfTheStoreAreOffered() throws {
    #expect(try complete("describe", "STORE", "T") == ["Town"])
    #expect(try complete("describe", "--mode", "json", "STORE", "") == ["Town"])
    #expect(try complete("watch", "STORE", "") == ["Town"])
    #expect(try complete("STORE", "-c", "") == ["Town"])
    #expect(try complete("drop", "STORE", "Town.n") == ["Town.name"])
    #expect(try complete("reindex", "STORE", "Town.s") == ["Town.size+name"])
    #expect(try complete("import", "STORE", "") == [":files"])
    #expect(try complete("import", "STORE", "a.csv", "") == ["Town", ":files"])
    #expect(try complete("import", "STORE", "a.csv", "Town", "--key", "") == ["code", "name", "size"])
    #expect(try complete("import", "STORE", "a.csv", "Town", "--index", "tri") == ["trigram:"])
    #expect(try complete("import", "STORE", "a.csv", "Town", "--index", "name,trigram:na") == ["name,trigram:name"])
    #expect(try complete("import", "STORE", "a.csv", "Town", "--date", "size:m") == ["size:ms", "size:mdy"])
    // What is not there or no store gives nothing, and no error.
    #expect(try complete("describe", "/nowhere", "") == [])
    #expect(try complete("describe", "/etc", "") == [])
  }

  @Test func bashSeparatesWordsAtSigns() throws {
    #expect(try complete("describe", "--mode", "=", "js", shell: .bash) == ["json", "jsonl"])
    #expect(try complete("describe", "--color", "=", shell: .bash) == ["auto", "always", "never"])
    #expect(
      try complete("import", "STORE", "a.csv", "Town", "--index", "trigram", ":", "na", shell: .bash) == ["name"])
  }

  @Test(arguments: [
    [], ["bash"], ["bash", "x"], ["tcsh", "1", "objquery", ""], ["bash", "99", "objquery", "a"], ["zsh", "0"],
  ])
  func requestsOfAllKindsAreAnswered(_ words: [String]) throws {
    let outcome = try Command.run(["---complete"] + words)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func aShellWithoutAScriptIsWrongUsage() throws {
    let outcome = try Command.run(["--generate-completion-script", "tcsh"])
    #expect(outcome.status == 64 && outcome.errors.contains("bash, zsh, fish"), "\(outcome)")
    #expect(try Command.run(["--generate-completion-script=fish"]).output == CompletionScript.text(.fish))
  }

  // MARK: In the shells

  /// Runs a script by a shell that has `objquery` in its path; nil where the shell is not installed.
  private func run(_ shell: String, _ options: [String], _ script: String) throws -> String? {
    let program = "/usr/bin/" + shell
    guard FileManager.default.isExecutableFile(atPath: program) else {
      print("SKIPPED: \(shell) is not installed")
      return nil
    }
    let bin = try Command.binary().deletingLastPathComponent().path
    let file = try workshop.file("try.\(shell)", script)
    let outcome = try Command.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["-C", workshop.path, "PATH=\(bin):/usr/bin:/bin", "HOME=\(workshop.path)", program] + options + [file])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output
  }

  @Test func bashCompletes() throws {
    let output = try run(
      "bash", ["--norc"],
      """
      source <(objquery --generate-completion-script bash)
      # compopt only works within a completion.
      compopt() { :; }
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _objquery; printf '%s\\n' "${COMPREPLY[@]}" | sort | paste -sd' '; }
      try objquery expo
      try objquery describe towns.store ''
      try objquery import towns.store tow
      try objquery describe --mode = js
      try objquery check to
      mkdir 'a b'; try objquery check 'a'
      complete -p objquery
      """)
    guard let output else { return }
    #expect(
      output == """
        export
        Town
        towns.csv towns.store
        json jsonl
        towns.store
        a b
        complete -F _objquery objquery

        """)
  }

  @Test func fishCompletes() throws {
    let output = try run(
      "fish", ["--no-config"],
      """
      objquery --generate-completion-script fish | source
      complete -C 'objquery expo' | string replace -r '\\t.*' ''
      complete -C 'objquery describe towns.store ' | string replace -r '\\t.*' ''
      complete -C 'objquery describe --mode js' | string replace -r '\\t.*' ''
      complete -C 'objquery check to' | string replace -r '\\t.*' ''
      """)
    guard let output else { return }
    #expect(output == "export\nTown\njson\njsonl\ntowns.store/\n")
  }

  @Test func zshCompletes() throws {
    // The functions that zsh completes with are replaced by ones that say what they were given.
    let output = try run(
      "zsh", ["-f"],
      """
      compdef() { :; }
      _files() { print -r -- "files $*"; }
      _describe() { print -rl -- "${(@P)2}"; }
      source <(objquery --generate-completion-script zsh)
      try() { words=("$@"); CURRENT=$#; _objquery; }
      try objquery sal
      try objquery describe towns.store ''
      try objquery import towns.store x.csv Town --index tri
      try objquery check to
      """)
    guard let output else { return }
    #expect(
      output == """
        files\u{20}
        salvage:Write what can be read of a damaged store to a new one.
        Town
        trigram\\:
        files -/

        """)
  }
}
