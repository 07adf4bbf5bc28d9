/// What to tell of an import that was stopped: whole transactions stay, the one under way does not.
extension ImportJob {
  var soFar: String {
    let name = request.entity
    guard summary.imported > 0 else {
      return "nothing of \(name) is stored" + (madeEntity ? ", the entity is there without objects" : "")
    }
    let stored = "\(counted(summary.imported, "object")) of \(name) \(summary.imported == 1 ? "is" : "are") stored"
    if !isBrought { return stored + ", what comes after in the data is not" }
    return stored + (pending.isEmpty ? "" : ", not all of the links to later ones")
  }
}
