import Foundation
import ObjectStore

// The models that the documents of other stores speak of, next to those of `Models.swift`.

@Model struct Account {
  var name: String
  var age = 0
}

@Model struct Item {
  @Attribute(.indexed) var timestamp: Date
  var categoryID: Int16 = 0
}

@Model struct Memo {
  var content: String?
  var hasImages = false
  var star = false
  var itemData: Link<ItemData>?
}

@Model struct ItemData { var item: Link<NoteItem>? }
@Model struct NoteItem { var note: Link<Note>? }
@Model struct Note {
  var title = ""
  var parent: Link<Note>?
}

@Model struct Book {
  var title: String
  var pages: Int
}

@Model struct People {
  var name = ""
  var age = 9
}

@Model struct Trend {
  var message: String
  var isPositive: Bool
  var count: Int
}

@Model struct Address { var zipcode: Int }
@Model struct Workplace { var address: Address }
@Model struct Employee {
  var name: String
  var workplace: Workplace
}

@Model struct Company {
  var name: String
  var location: Location
}
