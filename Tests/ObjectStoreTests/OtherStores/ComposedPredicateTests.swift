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
