import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon
@testable import Settings

/// Erasing personal data: the unit writes a mark for the next start, and then requests a reboot.
@Suite struct ErasingTests {
  private let home: ServeProcess.Home
  private var mark: String { "\(state)/erase-personal-data" }
  private var state: String { home.folder.path("state") }
  private var request: String { home.folder.path("power/reboot") }

  init() throws {
    home = try ServeProcess.Home()
    for folder in ["power", "state"] {
      try FileManager.default.createDirectory(
        atPath: home.folder.path(folder), withIntermediateDirectories: true)
    }
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Requests the erasure from a new daemon. Returns `.success` if the daemon accepts the request.
  private func erase(
    stateFolder: String? = nil, covers: String? = nil, mark: String?, power: String? = "power"
  ) throws -> Result<Void, Refusal> {
    let daemon = UnitDaemon(home) {
      $0.stateFolder = stateFolder ?? state
      $0.artworkFolder = covers
    } start: {
      $0.powerRequest = power.map { PowerRequest(folder: home.folder.path($0)) }
      $0.erasureMark = mark
    }
    var answer: Result<Void, Refusal>?
    daemon.control.erasePersonalData { answer = $0.map { .failure($0) } ?? .success(()) }
    try daemon.loop.turn { answer != nil }
    if case .success? = answer {
      #expect(daemon.log.lines.contains { $0.text.hasPrefix("unit.erase: ") })
    }
    return try #require(answer)
  }

  private func refusal(_ result: Result<Void, Refusal>) -> Refusal.Code? {
    if case .failure(let refusal) = result { refusal.code } else { nil }
  }

  @Test func erase_marksTheFolder_andThenRequestsAReboot() throws {
    #expect(refusal(try erase(covers: "\(state)/artwork", mark: mark)) == nil)
    #expect(exists(mark) && exists(request))
    #expect(!exists("\(state)/.erase-personal-data.new"))
  }

  @Test func erase_withoutAnImage_isRefused() throws {
    #expect(refusal(try erase(mark: nil)) == .noService)
    #expect(refusal(try erase(mark: mark, power: nil)) == .noService)
    #expect(!exists(mark) && !exists(request))
  }

  @Test func erase_withFoldersThatTheHelperDoesNotKnow_isRefused() throws {
    let other = home.folder.path("power")
    #expect(refusal(try erase(stateFolder: other, mark: mark)) == .eraseFailed)
    #expect(refusal(try erase(covers: other, mark: mark)) == .eraseFailed)
    #expect(!exists(mark) && !exists(request))
  }

  /// The mark must be on the storage before the unit restarts, so without the mark no reboot is requested.
  @Test func mark_thatCannotBeWritten_isRefused_withoutAReboot() throws {
    try FileManager.default.createDirectory(
      atPath: mark, withIntermediateDirectories: true)
    #expect(refusal(try erase(mark: mark)) == .eraseFailed)
    #expect(!exists(request))
  }

  @Test func rebootThatCannotBeRequested_keepsTheMark() throws {
    #expect(refusal(try erase(mark: mark, power: "missing")) == .powerFailed)
    #expect(exists(mark))
  }

  @Test(arguments: ["data.read-only.unchecked", "data.memory.unchecked", "data.checking"])
  func erase_whileNothingIsSaved_isRefused(_ identifier: String) throws {
    let loop = EventLoop()
    let control = MachineControl(
      loop, PowerRequest(folder: home.folder.path("power")), mark: mark,
      log: UnitLog(level: .info) { _ in })
    var settings = Settings()
    settings.stateFolder = state
    settings.artworkFolder = nil
    let notice = try #require(StorageNotice(line: "\(identifier) A sentence."))
    var answer: Refusal??
    control.markPersonalData(settings, [notice]) { answer = .some($0) }
    #expect(answer??.code == .eraseFailed)
    #expect(!exists(mark))
  }
}
