import Foundation
import ObjectStore
import Testing

/// "How to dynamically construct complex predicates for SwiftData": filters that are joined while the program runs.
@Suite struct ComposedPredicateTests {
  private func notes() throws -> (store: Store, root: ObjectID<Note>) {
    let store = try Store.inMemory(Memo.self)
    let root = try store.write { tx in
      let root = try tx.add(Note(title: "root"))
      let child = Link(Note(title: "child", parent: Link(root)))
      func memo(_ content: String?, _ note: Link<Note>?, hasImages: Bool = false, star: Bool = false) -> Memo {
        Memo(
          content: content, hasImages: hasImages, star: star,
          itemData: note.map { Link(ItemData(item: Link(NoteItem(note: $0)))) })
      }
      try tx.add([
        memo("fat cat", Link(root), hasImages: true), memo("thin", child, star: true), memo(nil, nil, hasImages: true),
        memo("FÄT", nil, star: true),
      ])
      return root
    }
    return (store, root)
  }

  @Test func eachFilterOfMemos() throws {
    let (store, noteID) = try notes()
    let memos = store.objects(Memo.self)
    #expect(try memos.filter(Memo.query(.filterAllMemo)).count == 4)
    #expect(try memos.filter(Memo.query(.filterAllGlobalMemo)).count == 2)
    #expect(try memos.filter(Memo.query(.filterAllMemoOfRootNote(noteID: noteID))).count == 2)
    #expect(try memos.filter(Memo.query(.filterMemoWithImage)).count == 2)
    #expect(try memos.filter(Memo.query(.filterMemoWithStar)).count == 2)
    #expect(try memos.filter(Memo.query(.filterMemoContainsKeyword(keyword: "fat"))).count == 2)
  }

  @Test func filtersThatAreCombined() throws {
    let memos = try notes().store.objects(Memo.self)
    let filters: [MemoPredicate] = [.filterMemoWithImage, .filterMemoContainsKeyword(keyword: "fat")]
    let predicate = try filters.map(Memo.query).conjunction()
    #expect(try memos.filter(predicate).map(\.content) == ["fat cat"])
    #expect(try memos.filter([Query<Memo>]().conjunction()).count == 4)
  }

  @Test func aCompoundPredicate() throws {
    let a = try Query<People>("name = %@", "fat")
    let b = try Query<People>("age < %d", 100)
    let result = CompoundQuery(type: .and, subqueries: [a, b])
    #expect(try result.matches(People(name: "fat", age: 50)) && !result.matches(People(name: "fat", age: 100)))
  }

  @Test func textsThatAreJoined() throws {
    let a = try Query<People>("name = %@", "fat")
    let b = try Query<People>("age < %d", 100)
    let andFormatString = a.predicateFormat + " AND " + b.predicateFormat
    #expect(andFormatString == #"name == "fat" AND age < 100"#)
    #expect(try Query<People>(andFormatString) == (a && b))
  }

  @Test func aPredicateAndItsParts() throws {
    let predicate = try Query(#Predicate<People> { $0.name == "fat" && $0.age < 100 })
    #expect(predicate.predicateFormat == #"name == "fat" AND age < 100"#)
    let (name, age) = ("fat", 100)
    let filterByName = Query<People> { $0.name == name }, filterByAge = Query<People> { $0.age < age }
    #expect((filterByName && filterByAge) == predicate)
  }

  @Test func thePredicateThatTheMacroWrites() throws {
    let predicate = Foundation.Predicate<People>({
      PredicateExpressions.build_Conjunction(
        lhs: PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg($0), keyPath: \.name),
          rhs: PredicateExpressions.build_Arg("fat")),
        rhs: PredicateExpressions.build_Comparison(
          lhs: PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg($0), keyPath: \.age),
          rhs: PredicateExpressions.build_Arg(100), op: .lessThan))
    })
    #expect(try Query(predicate).predicateFormat == #"name == "fat" AND age < 100"#)
  }

  @Test func predicatesAreCombinedByTheirValues() throws {
    let a = try Query(#Predicate<People> { $0.name == "fat" })
    let b = try Query(#Predicate<People> { $0.age < 10 })
    let combined = a && b
    #expect(combined.predicateFormat == #"name == "fat" AND age < 10"#)
    #expect((a || !b).predicateFormat == #"name == "fat" OR NOT age < 10"#)
  }

  @Test func expressionsThatAreClosures() throws {
    let expression = { (people: QueryExpression<People>) in people.name == "fat" }
    #expect(Query<People>(expression).predicateFormat == #"name == "fat""#)
    let filterByNameExpression = { (name: String) in
      { (people: QueryExpression<People>) in people.name == name }
    }
    let filterByAgeExpression = { (age: Int) in
      { (people: QueryExpression<People>) in people.age < age }
    }
    let (name, age) = ("fat", 10)
    #expect(Query<People>(filterByNameExpression(name)) == Query<People>(expression))
    let predicate = Query<People> { filterByNameExpression(name)($0) && filterByAgeExpression(age)($0) }
    #expect(predicate.predicateFormat == #"name == "fat" AND age < 10"#)
    let memosWithStar = { (memo: QueryExpression<Memo>) -> QueryExpression<Bool> in memo.star }
    #expect(try notes().store.objects(Memo.self).filter(Query(memosWithStar)).count == 2)
  }

  /// Joined predicates are trees of the same kind as any, so a store runs them.
  @Test func aConjunctionIsRunByAStore() throws {
    let store = try Store.inMemory(People.self)
    try store.write { tx in
      try tx.add([People(name: "fat", age: 9), People(name: "fat", age: 50), People(name: "thin")])
    }
    let filterByName = try Query(#Predicate<People> { $0.name == "fat" })
    let filterByAge = Query<People> { $0.age < 10 }
    #expect(try store.objects(People.self).filter([filterByName, filterByAge].conjunction()).map(\.age) == [9])
  }

  @Test func aConjunctionIsAsked() throws {
    let people = People(name: "fat", age: 50)
    let filterByName = try Query(#Predicate<People> { $0.name == "fat" })
    let filterByAge = try Query(#Predicate<People> { $0.age < 10 })
    let combinedPredicate = [filterByName, filterByAge].conjunction()
    #expect(try !combinedPredicate.matches(people))
  }

  @Test func conjunctionsInADisjunction() throws {
    let store = try Store.inMemory(Book.self)
    try store.write { tx in
      try tx.add([
        Book(title: "Swift", pages: 900), Book(title: "Emma", pages: 300), Book(title: "Ulysses", pages: 730),
      ])
    }
    let notTooShort = try Query(#Predicate<Book> { $0.pages > 50 })
    let notTooLong = try Query(#Predicate<Book> { $0.pages <= 350 })
    let titleFilter = try Query(#Predicate<Book> { $0.title.contains("Swift") })
    let lengthFilter = [notTooShort, notTooLong].conjunction()
    let filter = [lengthFilter, titleFilter].disjunction()
    #expect(try store.objects(Book.self).filter(filter).map(\.title) == ["Swift", "Emma"])
  }

  @Test func conditionsThatAreSwitched() throws {
    let (minAge, maxAge) = (10, 50)
    let notTooYoung = Query<People> { $0.age >= minAge }, notTooOld = Query<People> { $0.age <= maxAge }
    let (enableMin, enableMax) = (true, false)
    let filterByAge = (enableMin ? notTooYoung : .all) && (enableMax ? notTooOld : .all)
    #expect(filterByAge == notTooYoung)
    #expect(try filterByAge.matches(People(age: 60)) && !filterByAge.matches(People()))
  }
}

enum MemoPredicate {
  case filterAllMemo
  case filterAllGlobalMemo
  case filterAllMemoOfRootNote(noteID: ObjectID<Note>)
  case filterMemoWithImage
  case filterMemoWithStar
  case filterMemoContainsKeyword(keyword: String)
}

extension Memo {
  static func query(_ filter: MemoPredicate) throws -> Query<Memo> {
    switch filter {
    case .filterAllMemo: .all
    case .filterAllGlobalMemo: Query { $0.itemData == nil }
    case .filterAllMemoOfRootNote(let noteID):
      Query { $0.itemData.item.note == noteID || $0.itemData.item.note.parent == noteID }
    case .filterMemoWithImage: Query { $0.hasImages }
    case .filterMemoWithStar: try Query(#Predicate { $0.star })
    case .filterMemoContainsKeyword(let keyword):
      try Query(
        #Predicate {
          if let content = $0.content {
            content.localizedStandardContains(keyword)
          } else {
            false
          }
        })
    }
  }
}
