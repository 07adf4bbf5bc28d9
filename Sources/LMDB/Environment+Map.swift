import CLMDB
import Glibc

extension Environment {
  /// Enlarges the map, once this process has no open transaction.
  package func growMap() throws(LMDBError) {
    try gate.enter(timeout: .seconds(10))
    defer { gate.leave() }
    monitor.lock()
    defer { monitor.unlock() }
    let limit = min(options.maximumMapSize, AddressSpace.allowance)
    guard state.mapSize < limit else { throw .mapFull(size: state.mapSize) }
    let size = state.mapSize > limit / 2 ? limit : state.mapSize * 2
    try remap(to: size, orThrow: .mapFull(size: state.mapSize))
  }

  /// Follows another process that grew the store past this map. The monitor is held.
  func followGrowth() throws(LMDBError) {
    let size = file.fileSize
    guard size > 0, size <= Int.max / 4 else { throw .mapResized }
    try remap(to: AddressSpace.rounded(max(size * 2, state.mapSize)), orThrow: .mapResized)
  }

  /// Replaces the map once this process has no readers. The monitor is held; this process has no writer.
  private func remap(to size: Int, orThrow refusal: LMDBError) throws(LMDBError) {
    guard !state.isRemapping else { throw .busy }
    state.isRemapping = true
    defer {
      state.isRemapping = false
      monitor.wakeAll()
    }
    let deadline = Deadline(after: options.remapTimeout)
    while state.readerCount > 0 {
      if !monitor.wait(until: deadline), state.readerCount > 0, deadline.hasPassed { throw refusal }
    }
    // LMDB removes its map before it requests the new one, and is unusable if that fails.
    guard AddressSpace.has(size) else { throw refusal }
    let code = mdb_env_set_mapsize(try raw, size)
    guard code == 0 else {
      let error = error(code, "mapping")
      state.failure = error
      throw error
    }
    state.mapSize = size
  }
}

/// The maximum size of the map.
enum AddressSpace {
  /// The limit for a map: a quarter of the memory limit of the process, if it has one.
  static var allowance: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int.max) else {
      return Int.max
    }
    return max(Int(limit.rlim_cur) / 4, 1 << 20)
  }

  /// The size to request first. Without a memory limit, it is not tested, since it is nearly always available.
  static func likely(wanted: Int, atLeast least: Int) -> Int {
    allowance == Int.max ? rounded(max(wanted, least)) : largest(wanted: wanted, atLeast: least)
  }

  /// The largest available size, starting at `wanted` and halving.
  static func largest(wanted: Int, atLeast least: Int) -> Int {
    var size = rounded(max(min(wanted, allowance), least))
    while size > least, !has(size) { size = rounded(max(size / 2, least)) }
    return size
  }

  /// Whether that much can be mapped now.
  static func has(_ size: Int) -> Bool {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let address = mmap(nil, size, PROT_NONE, flags, -1, 0), address != MAP_FAILED else { return false }
    munmap(address, size)
    return true
  }

  /// The size rounded to whole pages of any machine.
  static func rounded(_ size: Int) -> Int {
    let unit = 1 << 16
    return size > Int.max - unit ? Int.max / unit * unit : (size + unit - 1) / unit * unit
  }
}
