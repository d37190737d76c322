import Glibc
import Synchronization

@testable import UnitState

/// A medium in memory. Between two calls, a test can cut its power, damage it or repair it.
final class MemoryFolder: StateFolder {
  /// A fault of the medium.
  enum Fault: Equatable {
    case missing
    case readOnly
    case full
    case locked
    /// Power is cut after this number of written bytes. Later writes are lost.
    case cut(after: Int)
    case lostOnSynchronise
    case notAFile
  }

  struct State {
    var bytes: [UInt8]?
    var aside: [UInt8]?
    var fault: Fault?
    var writes: [Range<Int>] = []
    var synchronised = 0
    var opened = 0
    /// Slots that cannot be read.
    var unreadable: Set<Int> = []
  }

  let state: Mutex<State>
  let path = "/data/state"

  init(_ bytes: [UInt8]? = nil) { state = Mutex(State(bytes: bytes)) }

  var fault: Fault? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  var bytes: [UInt8] { state.withLock { $0.bytes ?? [] } }

  func open() throws(StateFailure) -> any StateFile {
    let refusal = try state.withLock { state throws(StateFailure) -> StateRefusal? in
      state.opened += 1
      switch state.fault {
      case .missing: throw StateFailure(operation: .open, code: ENOENT)
      case .notAFile: throw StateFailure(operation: .useAsFile, code: EINVAL)
      case .readOnly:
        let failure = StateFailure(operation: .open, code: EROFS)
        guard state.bytes != nil else { throw failure }
        return .system(failure)
      case .locked: return .locked
      default: break
      }
      if state.bytes == nil { state.bytes = [] }
      return nil
    }
    return MemoryFile(self, refusal)
  }

  func putAside() throws(StateFailure) -> String? {
    state.withLock { state in
      if state.fault == .notAFile { state.fault = nil }
      state.aside = state.bytes
      state.bytes = nil
    }
    return "/data/state.damaged"
  }
}

final class MemoryFile: StateFile {
  let folder: MemoryFolder
  let refusal: StateRefusal?

  init(_ folder: MemoryFolder, _ refusal: StateRefusal?) {
    self.folder = folder
    self.refusal = refusal
  }

  func size() throws(StateFailure) -> Int { folder.bytes.count }

  func read(_ count: Int, at offset: Int) throws(StateFailure) -> [UInt8] {
    try folder.state.withLock { state throws(StateFailure) in
      if state.unreadable.contains(offset / StateLayout.state.slotBytes) {
        throw StateFailure(operation: .read, code: EIO)
      }
      return Array((state.bytes ?? []).dropFirst(offset).prefix(count))
    }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(StateFailure) {
    try folder.state.withLock { state throws(StateFailure) in
      var count = bytes.count
      switch state.fault {
      case .full where offset + count > state.bytes?.count ?? 0:
        throw StateFailure(operation: .write, code: ENOSPC)
      case .cut(let left):
        count = min(count, left)
        state.fault = .cut(after: left - count)
      default: break
      }
      var all = state.bytes ?? []
      all += [UInt8](repeating: 0, count: max(0, offset + count - all.count))
      all.replaceSubrange(offset..<offset + count, with: bytes.prefix(count))
      state.bytes = all
      state.writes.append(offset..<offset + count)
      if count < bytes.count { throw StateFailure(operation: .write, code: EIO) }
    }
  }

  func synchronise(isNew: Bool) throws(StateFailure) {
    try folder.state.withLock { state throws(StateFailure) in
      if state.fault == .lostOnSynchronise { throw StateFailure(operation: .write, code: EIO) }
      state.synchronised += 1
    }
  }

  var isAtItsPath: Bool { folder.state.withLock { $0.bytes != nil && $0.fault != .missing } }
}
