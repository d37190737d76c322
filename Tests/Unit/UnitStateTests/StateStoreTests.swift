import Foundation
import Synchronization
import TestKit
import Testing

@testable import UnitState

/// Tests ``StateStore`` with its own thread and with real files.
@Suite struct StateStoreTests {
  private static let timeout = 60_000
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func open(in path: String? = nil) throws -> (StateStore, payload: [UInt8]?) {
    let store = StateStore(folder: path ?? folder.url.path)
    let opening = try #require(store.opening(within: Self.timeout))
    return (store, opening.payload)
  }

  private func close(_ store: StateStore) { #expect(store.shutDown(within: Self.timeout)) }

  @Test func state_isReadByTheNextStore() throws {
    let (store, none) = try open()
    #expect(none == nil)
    store.save(bytes("one"))
    store.save(bytes("two"))
    close(store)
    let (again, payload) = try open()
    #expect(payload == bytes("two"))
    #expect(again.takeNotices().isEmpty)
    #expect(again.takeOpening()?.payload == bytes("two"))
    #expect(again.takeOpening() == StateStore.Opening(payload: nil))
    // This store has saved nothing, so the next store reads the same state.
    close(again)
    let (third, same) = try open()
    #expect(same == bytes("two"))
    close(third)
    var status = stat()
    #expect(stat(folder.path("state"), &status) == 0)
    #expect(Int(status.st_size) == StateLayout.state.fileBytes)
    // The file has no holes, so a full disk cannot make a save fail.
    #expect(Int(status.st_blocks) * 512 >= StateLayout.state.fileBytes)
  }

  @Test func flush_waitsForTheLatestSave() throws {
    let (store, _) = try open()
    for number in 0..<50 {
      store.save(bytes("\(number)"))
      #expect(store.flush(within: Self.timeout))
      let scan = SlotScan(try folder.read("state"))
      #expect(scan.newest?.payload == bytes("\(number)"))
    }
    close(store)
  }

  @Test func secondStore_reportsTheLock_andSavesAfterTheFirstHasEnded() throws {
    let (first, _) = try open()
    first.save(bytes("first"))
    #expect(first.flush(within: Self.timeout))
    let (second, payload) = try open()
    #expect(payload == bytes("first"))
    second.save(bytes("second"))
    #expect(!second.flush(within: Self.timeout))
    let notice = try #require(second.takeNotices().first)
    #expect(notice.kind == .notSaving && notice.refusal == .locked)
    first.save(bytes("first again"))
    close(first)
    #expect(second.flush(within: Self.timeout))
    #expect(second.takeNotices().map(\.kind) == [.savingAgain])
    close(second)
    let (third, last) = try open()
    #expect(last == bytes("second"))
    close(third)
  }

  @Test func missingFolder_createdLater_isUsed() throws {
    let path = folder.path("data")
    let (store, payload) = try open(in: path)
    #expect(payload == nil)
    var entry = pollfd(fd: store.noticeDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, Int32(Self.timeout)) == 1)
    #expect(store.takeNotices().map(\.kind) == [.notSaving])
    #expect(poll(&entry, 1, 0) == 0)
    store.save(bytes("one"))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // The store retries by itself, without a flush.
    #expect(poll(&entry, 1, Int32(Self.timeout)) == 1)
    #expect(store.takeNotices().map(\.kind) == [.savingAgain])
    // The folder disappears and comes back.
    try FileManager.default.removeItem(atPath: path)
    store.save(bytes("two"))
    #expect(!store.flush(within: Self.timeout))
    #expect(store.takeNotices().map(\.kind) == [.notSaving])
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(store.flush(within: Self.timeout))
    close(store)
    let (again, last) = try open(in: path)
    #expect(last == bytes("two"))
    close(again)
  }

  @Test func invalidFile_isRenamed_andOneCopyIsKept() throws {
    for round in 1...2 {
      try folder.write("state", bytes("noise \(round)"))
      let (store, payload) = try open()
      #expect(payload == nil)
      store.save(bytes("new"))
      close(store)
      #expect(store.takeNotices().map(\.kind) == [.damaged])
      #expect(try folder.read("state.damaged") == bytes("noise \(round)"))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.sorted() == ["state", "state.damaged"])
  }

  @Test func hugeForeignFile_isRemoved() throws {
    try folder.write("state", [UInt8](repeating: 1, count: 5 << 20))
    let (store, _) = try open()
    store.save(bytes("new"))
    close(store)
    #expect(store.takeNotices().map(\.kind) == [.damaged])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names == ["state"])
  }

  @Test(arguments: ["folder", "pipe", "device"])
  func otherFileType_isRenamed(kind: String) throws {
    switch kind {
    case "folder":
      try FileManager.default.createDirectory(
        atPath: folder.path("state"), withIntermediateDirectories: false)
    case "pipe": #expect(mkfifo(folder.path("state"), 0o644) == 0)
    default: #expect(symlink("/dev/full", folder.path("state")) == 0)
    }
    let (store, payload) = try open()
    #expect(payload == nil)
    store.save(bytes("new"))
    close(store)
    #expect(store.takeNotices().map(\.kind) == [.damaged])
    let (again, last) = try open()
    #expect(last == bytes("new"))
    close(again)
  }

  @Test func largestState_isSaved() throws {
    let (store, _) = try open()
    let payload = [UInt8](repeating: 9, count: StateLayout.state.maximumPayload)
    store.save(payload)
    close(store)
    let (again, last) = try open()
    #expect(last == payload)
    close(again)
  }

  /// If a medium hangs, each call still ends within its time limit, so the control thread continues.
  @Test func hangingMedium_doesNotBlockTheCaller() throws {
    let medium = HangingFolder()
    let store = StateStore(medium)
    #expect(store.opening(within: 20) == nil)
    store.save(bytes("one"))
    #expect(!store.flush(within: 20))
    medium.release()
    #expect(store.opening(within: Self.timeout) != nil)
    #expect(store.flush(within: Self.timeout))
    close(store)
  }

  @Test func shutDown_hangingMedium_returnsAfterTheTimeout() {
    let medium = HangingFolder()
    let store = StateStore(medium)
    #expect(!store.shutDown(within: 20))
    medium.release()
  }
}

/// A folder that blocks in `open` until the test calls `release`.
private final class HangingFolder: StateFolder {
  private let inner = MemoryFolder()
  private let gate = DispatchSemaphore(value: 0)
  var path: String { inner.path }

  func release() { gate.signal() }

  func open() throws(StateFailure) -> any StateFile {
    gate.wait()
    gate.signal()
    return try inner.open()
  }

  func putAside() throws(StateFailure) -> String? { try inner.putAside() }
}
