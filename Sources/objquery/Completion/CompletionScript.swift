import Glibc

/// The scripts by which shells complete the words of the command. They only ask `objquery ---complete`, so they need not
/// be made again for another version.
enum CompletionScript {
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  /// The word that asks for completions: nothing that one would call a store.
  static let request = "---complete"

  /// How to install them, for the manual.
  static let help = """
    Options, subcommands, files, entities, properties and modes are completed by the shell after one of:

      objquery --generate-completion-script bash > ~/.local/share/bash-completion/completions/objquery
      objquery --generate-completion-script zsh > "${fpath[1]}/_objquery"
      objquery --generate-completion-script fish > ~/.config/fish/completions/objquery.fish

    In bash without the package bash-completion, and to try it, the script of the shell is read at once:

      source <(objquery --generate-completion-script bash)
    """

  /// The shell that is asked for, by the words of the command; nil if none is. Without a name it is that of `$SHELL`.
  static func asked(_ words: [String]) throws -> Shell? {
    let option = "--generate-completion-script"
    guard let first = words.first, first == option || first.hasPrefix(option + "=") else { return nil }
    let given = first == option ? words.dropFirst().first : String(first.dropFirst(option.count + 1))
    let name = given ?? getenv("SHELL").map { String(cString: $0) } ?? ""
    if let shell = Shell(rawValue: name.split(separator: "/").last.map(String.init) ?? "") { return shell }
    let all = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    throw CommandFailure(
      description: "there is no script for the shell '\(name)'; write \(option) and one of \(all)", status: .usage,
      code: "usage")
  }

  static func text(_ shell: Shell) -> String {
    switch shell {
    case .bash:
      """
      _objquery() {
        local current="${COMP_WORDS[COMP_CWORD]}" line
        COMPREPLY=()
        while IFS= read -r line; do
          case "$line" in
          :files) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current") ;;
          :folders) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$current") ;;
          *) COMPREPLY+=("${line%%$'\\t'*}") ;;
          esac
        done < <("${COMP_WORDS[0]}" \(request) bash "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
        if [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *[:+,=] ]]; then compopt -o nospace; fi
      }
      complete -F _objquery objquery

      """
    case .zsh:
      """
      #compdef objquery
      _objquery() {
        local line word
        local -a words_found
        for line in "${(@f)$("${(Q)words[1]}" \(request) zsh $((CURRENT - 1)) "${(@Q)words}" 2>/dev/null)}"; do
          case "$line" in
          :files) _files ;;
          :folders) _files -/ ;;
          ?*) word="${line%%$'\\t'*}"
            if [[ "$line" == *$'\\t'* ]]; then
              words_found+=("${word//:/\\\\:}:${line#*$'\\t'}")
            else
              words_found+=("${word//:/\\\\:}")
            fi ;;
          esac
        done
        (( ${#words_found} )) && _describe objquery words_found
      }
      if [[ "${funcstack[1]}" == _objquery ]]; then _objquery "$@"; else compdef _objquery objquery; fi

      """
    case .fish:
      """
      function __objquery_complete
        set -l words (commandline -opc) (commandline -ct)
        for line in (command $words[1] \(request) fish (math (count $words) - 1) $words 2>/dev/null)
          switch $line
            case ':files'
              __fish_complete_path (commandline -ct)
            case ':folders'
              __fish_complete_directories (commandline -ct)
            case '*'
              echo $line
          end
        end
      end
      complete -c objquery -f -a '(__objquery_complete)'

      """
    }
  }
}
