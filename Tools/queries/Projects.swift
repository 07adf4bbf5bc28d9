/// What the people, projects and tasks of `people.jsonl` and `projects.jsonl` look like.
@Model struct Person {
  @Attribute(.unique) var name: String
  var age: Int?
  var boss: Link<Person>?
  @Inverse(\Task.assignee) var tasks: LinkingObjects<Task>
}

@Model struct Project {
  @Attribute(.unique) var name: String
  var lead: Link<Person>?
  /// In the order in which they are to be done.
  var tasks: List<Task>
}

@Model struct Task {
  @Attribute(.unique) var title: String
  var priority: Int = 1
  var isComplete: Bool = false
  var progressMinutes: Int = 0
  var assignee: Link<Person>?
  var blockers: List<Task>
  @Inverse(\Project.tasks) var projects: LinkingObjects<Project>
}
