import Values

extension StatementSyntax: CustomStringConvertible {
  /// The canonical text, with clauses in the order in which they apply. Parsing it gives an equal tree.
  public var description: String {
    var printer = Printer()
    printer.print(self)
    return printer.output
  }
}

extension Printer {
  mutating func print(_ statement: StatementSyntax) {
    switch statement {
    case .select(let query): print(query)
    case .count(let query): print("COUNT", query)
    case .explain(let analyze, let explained):
      output += analyze ? "EXPLAIN ANALYZE " : "EXPLAIN "
      print(explained)
    case .delete(let query): print("DELETE", query)
    case .update(let query, let assignments):
      output += "UPDATE "
      if let entity = query.entity {
        printTarget(entity.text)
        output += " "
      }
      output += "SET "
      for (index, assignment) in assignments.enumerated() {
        if index > 0 { output += ", " }
        print(assignment.path)
        output += " = "
        if case .literal(.embedded(let fields)) = assignment.value.kind {
          printJSON(fields)
        } else if case .literal(.list(let elements)) = assignment.value.kind, case .embedded? = elements.first {
          printJSON(.list(elements))
        } else {
          printValue(assignment.value)
        }
      }
      printClauses(query)
    case .insert(let entity, let fields):
      output += "INSERT "
      printTarget(entity.text)
      output += " "
      printJSON(fields.map { EmbeddedField(name: $0.name.text, value: $0.value) })
    case .begin: output += "BEGIN"
    case .commit: output += "COMMIT"
    case .rollback: output += "ROLLBACK"
    case .define(let name, let predicate):
      output += "LET "
      printTarget(name.text)
      output += " = "
      print(predicate)
    case .schema(let change): print(change)
    }
  }

  /// Prints the name where only keywords are ambiguous: right after UPDATE, INSERT or LET, and in changes of the schema.
  mutating func printTarget(_ name: String) {
    if Keyword(spelling: name) != nil, Printer.isPlainName(name) { output += "#" }
    printName(name, afterDot: true)
  }

  /// Prints the entity's name. A name without a capital, or a keyword, is escaped: with a default entity it would be
  /// parsed as a predicate.
  private mutating func printEntity(_ name: String) {
    let startsAsEntity = name.unicodeScalars.first?.properties.isUppercase == true && Keyword(spelling: name) == nil
    if !startsAsEntity, Printer.isPlainName(name) { output += "#" }
    printName(name, afterDot: true)
  }

  private mutating func print(_ keyword: String, _ query: SelectSyntax) {
    output += keyword
    var rest = Printer()
    rest.print(query)
    if !rest.output.isEmpty { output += " " + rest.output }
  }

  private mutating func print(_ query: SelectSyntax) {
    if let entity = query.entity { printEntity(entity.text) }
    printClauses(query)
  }

  private mutating func printClauses(_ query: SelectSyntax) {
    if query.filter.predicate != nil { clause("WHERE") }
    if query.filter.predicate != nil || !query.filter.tails.isEmpty {
      if !output.isEmpty, output.utf8.last != UInt8(ascii: " ") { output += " " }
      var filter = Printer()
      filter.print(query.filter)
      output += filter.output
    }
    if !query.groupBy.isEmpty {
      clause("GROUP BY ")
      printList(query.groupBy)
    }
    if let having = query.having {
      clause("HAVING ")
      print(having)
    }
    if let sections = query.sectionsBy {
      clause("SECTIONS BY ")
      print(sections, query.sectionOptions)
    }
    if !query.sortBy.isEmpty {
      clause("SORT BY ")
      for (index, key) in query.sortBy.enumerated() {
        if index > 0 { output += ", " }
        print(key.expression, key.options)
        output += key.ascending ? " ASC" : " DESC"
      }
    }
    if !query.distinct.isEmpty {
      clause("DISTINCT ")
      let start = output.endIndex
      printList(query.distinct)
      // A parenthesis after DISTINCT encloses the whole list.
      if output[start...].first == "(" {
        output.insert("(", at: start)
        output += ")"
      }
    }
    if let offset = query.offset {
      clause("OFFSET ")
      print(offset)
    }
    if let limit = query.limit {
      clause("LIMIT ")
      print(limit)
    }
    if let select = query.select { print(select) }
  }

  private mutating func print(_ select: [SelectItemSyntax]) {
    clause("SELECT ")
    for (index, item) in select.enumerated() {
      if index > 0 { output += ", " }
      let start = output.endIndex
      print(item.expression)
      if output[start...] == item.heading { continue }
      output += " AS "
      if Printer.isPlainName(item.heading) {
        output += item.heading
      } else {
        output += "\"" + Printer.escaped(item.heading, quote: "\"") + "\""
      }
    }
  }

  private mutating func clause(_ keyword: String) {
    if !output.isEmpty, output.utf8.last != UInt8(ascii: " ") { output += " " }
    output += keyword
  }

  /// Prints the value of an assignment. A bracket at the start would begin a list, so a point is put in parentheses.
  private mutating func printValue(_ value: ExpressionSyntax) {
    let before = output
    output = ""
    print(value)
    output = before + (output.utf8.first == UInt8(ascii: "[") ? "(\(output))" : output)
  }

  private mutating func printJSON(_ fields: [EmbeddedField]) {
    output += "{"
    for (index, field) in fields.enumerated() {
      if index > 0 { output += ", " }
      output += "\"" + Printer.escaped(field.name, quote: "\"") + "\": "
      printJSON(field.value)
    }
    output += "}"
  }

  mutating func printJSON(_ value: Value) {
    switch value {
    case .null: output += "null"
    case .bool(let isTrue): output += isTrue ? "true" : "false"
    case .list(let elements):
      output += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { output += ", " }
        printJSON(element)
      }
      output += "]"
    case .decimal(let number): output += number.description
    case .embedded(let fields): printJSON(fields)
    default: print(value)
    }
  }
}
