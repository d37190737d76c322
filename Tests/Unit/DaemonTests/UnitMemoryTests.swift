import EventLoop
import Files
import Foundation
import FoundationEssentials
import NowPlaying
import Settings
import SystemClock
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The data that is saved for the next start. The storage is real.
@Suite struct UnitMemoryTests {
  let loop = EventLoop()
  let folder: TemporaryFolder
  let settings: Settings

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("unit.conf", Array("state-folder = \(folder.url.path)\n".utf8))
    settings =
      Configuration(
        files: [folder.path("unit.conf")],
        checks: SettingChecks(output: { _ in nil }, amplifier: { _ in nil })
      ).settings
  }

  private func memory() -> UnitMemory {
    UnitMemory(loop, settings, Turns(loop), log: UnitLog(write: { _ in }))
  }

  /// Saves a state whose last source is a phone, and lets a run change this state. Returns the phone that this run
  /// saves.
  private func phone(
    after change: (UnitMemory) -> Void
  ) throws -> UnitState.PhoneSource? {
    var state = UnitState()
    state.phoneSource = .init(address: "AA:BB:CC:DD:EE:01", name: "Ann's", wasPlaying: true)
    let store = StateStore(folder: settings.stateFolder)
    store.save(state.encoded())
    #expect(store.shutDown(within: Hang.milliseconds))
    let memory = memory()
    #expect(memory.opened.phoneSource == state.phoneSource)
    change(memory)
    memory.saveLast()
    memory.shutDown()
    let next = self.memory()
    defer { next.shutDown() }
    return next.opened.phoneSource
  }

  @Test func forgetPhone_thePhoneOfTheLastSource_isNotAwaitedAgain() throws {
    #expect(try phone { $0.forgetPhone("AA:BB:CC:DD:EE:02") } != nil)
    #expect(try phone { $0.forgetPhone("AA:BB:CC:DD:EE:01") } == nil)
  }

  @Test func waitStopped_thePhoneIsNotAwaitedAgain() throws {
    #expect(try phone { $0.notePhoneStopped("AA:BB:CC:DD:EE:02") }?.wasPlaying == true)
    #expect(try phone { $0.notePhoneStopped("AA:BB:CC:DD:EE:01") }?.wasPlaying == false)
  }

  @Test func unconfirmedPairing_isStored_whenTheStateWithItIsOnTheMedium() throws {
    let memory = memory()
    memory.noteUnconfirmed(["AA:BB:CC:DD:EE:01"])
    #expect(!memory.hasStoredUnconfirmed)
    memory.save(waitsForQueue: true, isAdvancing: false, at: .now())
    #expect(!memory.hasStoredUnconfirmed)
    memory.save(waitsForQueue: false, isAdvancing: false, at: .now().advanced(by: .seconds(60)))
    try loop.turn { memory.hasStoredUnconfirmed }
    memory.shutDown()
    let next = self.memory()
    #expect(next.opened.unconfirmed == ["AA:BB:CC:DD:EE:01"])
    next.shutDown()
  }

  @Test func noticeThatWasShown_isShownAgain_afterItWasForgotten() {
    let memory = memory()
    #expect(memory.noteShown(notice: "a") && !memory.noteShown(notice: "a"))
    memory.forgetShown(notice: "a")
    #expect(memory.noteShown(notice: "a"))
    memory.shutDown()
  }
}
