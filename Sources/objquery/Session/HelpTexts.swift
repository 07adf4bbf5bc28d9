/// The texts of `.help`.
enum HelpTexts {
  /// A text that is about no single command.
  enum Topic: String, CaseIterable {
    case statements, predicates, links, schema, keys

    /// The heading in the manual.
    var title: String {
      switch self {
      case .statements: "Statements"
      case .predicates: "Predicates"
      case .links: "Links and collections"
      case .schema: "Changes of the schema"
      case .keys: "Keys where statements are typed"
      }
    }

    var text: String {
      switch self {
      case .statements: HelpTexts.statements
      case .predicates: HelpTexts.predicates
      case .links: HelpTexts.links
      case .schema: HelpTexts.schema
      case .keys: HelpTexts.keys
      }
    }
  }

  /// Topics in addition to the commands.
  static let topics = Topic.allCases.map(\.rawValue) + ["import"]

  static func text(_ topic: String?) throws -> String {
    guard let topic else { return overview }
    switch topic.lowercased() {
    case "statements", "statement": return statements
    case "predicates", "predicate": return predicates
    case "links", "link", "collections": return links
    case "schema": return try text(".schema") + "\n\n" + schema
    case "keys": return keys
    default: break
    }
    let command = try DotCommand.named(topic.hasPrefix(".") ? topic : "." + topic)
    let usage = command.usage.isEmpty ? command.name : "\(command.name) \(command.usage)"
    return "\(usage)\n  \(command.summary)" + (command.help.isEmpty ? "" : "\n\n\(command.help)")
  }

  /// The column at which the summaries of commands begin.
  private static let column = 35

  private static var overview: String {
    let commands = DotCommand.all.map { command in
      let usage = command.usage.split(separator: " | ").first.map(String.init) ?? ""
      let words = "\(command.name) \(usage)"
      // If a command is too long for its column, its summary is on the next line.
      let gap = words.count + 2 <= column ? "" : "\n  " + String(repeating: " ", count: column)
      return "  \(words.padded(to: column))\(gap)\(command.summary)"
    }
    return """
      Ask about objects by the name of their entity:
        Quake WHERE mag > 5 SORT BY time DESC LIMIT 10
        COUNT Quake WHERE place CONTAINS[c] 'chile'

      Commands (a beginning is enough where it is clear):
      \(commands.joined(separator: "\n"))

      More: .help statements, .help predicates, .help links, .help schema, .help keys, .help import
      """
  }

  private static let statements = """
    Statements end with ; or, here, with the line that completes them. Clauses come in any order:

      Quake WHERE mag > 5 SORT BY mag DESC, time LIMIT 20 OFFSET 40 SELECT place, mag
      Quake WHERE alert != nil DISTINCT net
      Quake WHERE felt > 9 SORT(mag DESC) LIMIT(5) FILTER(net == 'us')   tails: each of what those before it leave
      COUNT Quake WHERE mag > 5
      Quake GROUP BY net SELECT net, @count, @avg.mag AS mean HAVING @count > 10 SORT BY mean DESC
      Quake SELECT @count, @max.mag           one row for all
      Quake SORT BY mag DESC SECTIONS BY net  rows under headings
      EXPLAIN Quake WHERE mag > 5             how it would be answered
      EXPLAIN ANALYZE Quake WHERE mag > 5     how it was, with figures; UPDATE and DELETE change nothing there
      INSERT Quake {"id": "x1", "mag": 5}
      UPDATE Quake SET mag = mag + 0.1, place = uppercase(place) WHERE net == 'us'
      DELETE Quake WHERE time < 2018-01-31@00:00:00
      DELETE Quake SORT BY time LIMIT 10      the ten oldest; UPDATE takes SORT BY and LIMIT too
      BEGIN … COMMIT, or ROLLBACK             several statements as one
      LET strong = mag > 6;  Quake WHERE $strong AND location.altitude < 70
      CREATE INDEX ON Quake (net, time)       and other changes of the schema: .help schema

    SELECT a AS b gives a column another name; of two with one name the second gets a number. Clauses may be
    in any order; they are applied as WHERE, GROUP, HAVING, SORT, DISTINCT, OFFSET, LIMIT, SELECT. So
    SORT BY sorts the groups, also where it stands before GROUP BY. Sorting is stable: ties keep the order of insertion;
    groups come in the order of their first objects. UPDATE and DELETE without
    WHERE and LIMIT ask first.
    After .use Quake a predicate alone is a statement.
    """

  private static let schema = """
    Statements change the schema. Each shows what it will do and asks first; where nobody can be asked, the
    command needs --yes. All of it happens, or nothing:

      CREATE INDEX ON Quake (net, time)       the kinds after USING: .help indexes
      CREATE UNIQUE INDEX ON Quake (code)
      CREATE INDEX ON Quake (place) USING trigram
      DROP INDEX ON Quake (net, time)
      ALTER Quake ADD felt: Int?              types as in schema text: String, [Int], Link<Region>?, …
      ALTER Quake ADD felt: Int = 0           existing objects get the default
      ALTER Quake ADD tags: [String] = []     without '?' a default is needed where there are objects
      ALTER Quake ADD seen: Date = now()      made anew for each object, as uuid() is
      ALTER Quake DROP PROPERTY place
      ALTER Quake RENAME mag TO magnitude     values stay, indexes too
      ALTER Quake ALTER PROPERTY mag Double   values are converted; to a type without '?', nil needs a default
      RENAME Quake TO Earthquake
      DROP ENTITY Quake
      EXPLAIN ALTER Quake DROP PROPERTY place only shows it

    A property of a struct is named by its path: ALTER Quake ADD location.depth: Double?
    They are not for BEGIN … COMMIT. Several changes at once: .once FILE, .schema, then edit it and .migrate FILE
    """

  private static let predicates = """
    Comparison   ==  !=  <  <=  >  >=  BETWEEN {1, 10}  IN {'ml', 'mb'}
    Text         BEGINSWITH  ENDSWITH  CONTAINS  LIKE 'a*b?'  MATCHES 'regular expression'
                 [c] any letter case, [d] any accents: place CONTAINS[cd] 'peru'
    Together     AND  OR  NOT, with ( )
    Nothing      alert == nil, alert != nil
    Numbers      mag * 2 + 1 > 11, abs(tz) >= 600
    Dates        time > 2018-02-07@12:00:00, time > '2018-02-07T12:00:00Z', bucket(time, 'week') == '2018-02-05'
    Functions    \(FunctionHelp.text(indent: 13))
    Structs      location.latitude > 60
    Lists, links tags CONTAINS 'x', tasks.@count > 3, owner.name == 'Ann' (see .help links)
    Values       mag > $min (see .help param)

    Keywords may be in any letter case. A property with a keyword's name is #name.
    """

  private static let links = """
    To one       lead.name == 'Ann', lead == 'Ann' (its unique property), lead == object('Person', 17), lead != nil
    To many      ANY tasks.priority > 5   ALL tasks.isDone == TRUE   NONE tasks.assignee == nil
                 without a word ANY is meant; several hops are one: projects.tasks.title CONTAINS 'x'
    Aggregates   tasks.@count > 3, tasks.@avg.priority > 2, tasks.@max.due, tasks.@sum.cost, ratings.@min, ratings.@median,
                 ratings.@percentile(0.9)
    SUBQUERY     SUBQUERY(tasks, $t, $t.priority > 5 AND $t.assignee == lead).@count > 0
                 $t is the element; a path without a variable is of the outer object
    Elements     tasks[0].title, tasks[FIRST], tasks[LAST], scores['math'], scores.@keys
    Backwards    an inverse by its name, or @links.Project.tasks.title == 'x', @links.@count == 0
    Lists        tags CONTAINS 'x', ratings == {1, 2}, 'x' IN tags, stops.@count, ANY stops.minutes > 5

    What stands within an object is inserted with it, or merged with what has its unique property already:
      INSERT Project {"code": 1, "lead": "Ann", "tasks": [{"title": "a", "assignee": {"name": "Bo"}}]}
      UPDATE Project SET lead = 'Ann', tasks = {object('Task', 1)} WHERE code == 1
      UPDATE Project SET lead = {"name": "Bo", "age": 30} WHERE code == 1
    Objects are named there by their unique property, else by number: {"@id": 17}.
    """

  private static let keys = """
    Tab          completes entities, properties, operators that fit, values, keywords, commands and files;
                 on an empty line after an error: the statement with its mistake mended
    Ctrl-R       looks for an earlier line      Ctrl-P Ctrl-N, arrows   earlier and later lines
    Ctrl-A Ctrl-E  start and end of the line    Ctrl-W Ctrl-U Ctrl-K    delete a word, the line, the rest
    Ctrl-C       drops the line, or stops the running statement; what .import committed by then stays
    Ctrl-Z       suspends, until fg            Ctrl-D   leaves
    A pasted statement is one line, whatever line breaks it has, and runs with Enter.
    exit, quit, help, \\q, \\d, \\dt, \\? are understood, and queries of SQL that can mean only one thing here.
    ~/.config/objquery/rc or ~/.objqueryrc runs first: .prompt, .mode, .types on … (not with --no-rc).
    """
}
