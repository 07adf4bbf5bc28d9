import GRDB

extension SQLiteSide {
  /// Makes the tables of projects, tasks and people.
  func makeProjects() throws {
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL);
          CREATE TABLE project (id INTEGER PRIMARY KEY, name TEXT NOT NULL, owner INTEGER);
          CREATE TABLE task (id INTEGER PRIMARY KEY, project INTEGER NOT NULL, priority INTEGER NOT NULL,
            is_complete INTEGER NOT NULL, assignee TEXT);
          """)
    }
  }

  /// Inserts rows in one transaction; `target` is the table with its columns.
  func insert(into target: String, _ rows: [[(any DatabaseValueConvertible)?]]) throws {
    guard let first = rows.first else { return }
    let places = Array(repeating: "?", count: first.count).joined(separator: ", ")
    try database.write { db in
      let statement = try db.makeStatement(sql: "INSERT INTO \(target) VALUES (\(places))")
      for row in rows { try statement.execute(arguments: StatementArguments(row)) }
    }
  }

  /// Makes the indexes over the links.
  func finishProjects() throws {
    try database.write { db in
      try db.execute(
        sql: """
          CREATE INDEX task_project ON task(project);
          CREATE INDEX project_owner ON project(owner);
          ANALYZE;
          """)
    }
  }
}
