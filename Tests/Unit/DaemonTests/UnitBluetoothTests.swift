import AVRCPTarget
import AudioEngine
import Bluez
import Control
import EventLoop
import Foundation
import Glibc
import HeadUnit
import NowPlaying
import PhonePlayer
import Reports
import Settings
import SystemClock
import TestKit
import Testing
import UnitState

@testable import Daemon

/// Bluetooth that is off, and Bluetooth without a bus. The address of the bus is a path in a folder of the test.
@Suite struct UnitBluetoothTests {
  private final class Bench {
    let context: PartContext
    let unit = HeadUnit(files: [], sink: NullSink())
    let memory: UnitMemory
    let bluetooth: UnitBluetooth

    /// - Parameter phone: the phone of the start plan.
    init(isOn: Bool, phone: UnitState.PhoneSource? = nil, _ state: UnitState? = nil) throws {
      context = try PartContext(["bluetooth = \(isOn ? "yes" : "no")"])
      if let state {
        let store = StateStore(folder: context.settings.stateFolder)
        store.save(state.encoded())
        #expect(store.shutDown(within: Hang.milliseconds))
      }
      memory = UnitMemory(context.loop, context.settings, context.turns, log: context.log)
      bluetooth = UnitBluetooth(
        context.loop, unit, context.settings, phone.map { .phone($0) } ?? .music(plays: false),
        memory, ConfiguredButtons(context.settings, context.turns, log: context.log),
        bus: .bus("unix:path=\(context.folder.path("bus"))"), context.turns,
        log: context.log)
    }

    deinit {
      bluetooth.shutDown()
      memory.shutDown()
      unit.shutDown()
    }

    var notice: UnitNotice? { bluetooth.takeNotice() }
  }

  private let phone = UnitState.PhoneSource(
    address: "AA:BB:CC:DD:EE:01", name: "Ann's", wasPlaying: true)

  @Test func off_offersAndReportsNothing() throws {
    let bluetooth = try Bench(isOn: false).bluetooth
    #expect(!bluetooth.isOn && bluetooth.controlled == nil)
    #expect(bluetooth.facts.isEmpty && bluetooth.findings.map(\.code) == ["bluetooth.off"])
    #expect(bluetooth.report.sections.map { $0.facts.map(\.label) } == [["service"]])
  }

  @Test func on_withoutABus_saysSo() throws {
    let bluetooth = try Bench(isOn: true).bluetooth
    bluetooth.start()
    #expect(bluetooth.isOn && bluetooth.controlled?.state.service == .noBus)
    #expect(bluetooth.findings.map(\.code) == ["bluetooth.no-bus"])
    #expect(bluetooth.facts.count == 1 && !bluetooth.report.sections.isEmpty)
  }

  /// Two `UnitBluetooth` objects have separate buses. The object for which Bluetooth is off starts first.
  @Test func start_connectsToTheBus_onlyIfBluetoothIsOn() throws {
    let on = try PartContext(["bluetooth = yes"])
    let listeners = try [on.folder.path("bus"), on.folder.path("other")].map { path in
      let listener = try #require(UnixSocket.bound(to: path))
      #expect(listen(listener, 1) == 0)
      return listener
    }
    defer { for listener in listeners { close(listener) } }
    let unit = HeadUnit(files: [], sink: NullSink())
    let memory = UnitMemory(on.loop, on.settings, on.turns, log: on.log)
    defer {
      memory.shutDown()
      unit.shutDown()
    }
    let buttons = ConfiguredButtons(on.settings, on.turns, log: on.log)
    let off = UnitBluetooth(
      on.loop, unit, try PartContext().settings, .music(plays: false), memory, buttons,
      bus: .bus("unix:path=\(on.folder.path("other"))"), on.turns, log: on.log)
    let bluetooth = UnitBluetooth(
      on.loop, unit, on.settings, .music(plays: false), memory, buttons,
      bus: .bus("unix:path=\(on.folder.path("bus"))"),
      on.turns, log: on.log)
    off.start()
    bluetooth.start()
    func isConnected(_ listener: Int32) -> Bool {
      var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) > 0
    }
    try on.loop.turn { isConnected(listeners[0]) }
    #expect(!isConnected(listeners[1]))
  }

  @Test func wait_isOneNotice_andAsksForATurn() throws {
    let now = MonotonicInstant.now()
    let bench = try Bench(isOn: true, phone: phone)
    #expect(try bench.context.loop.step() && bench.context.turnCount == 1)
    #expect(bench.notice == UnitNotice(.phoneAwaited, about: phone.name) && bench.notice == nil)
    #expect(bench.bluetooth.phones.primary?.address == phone.address)
    let end = try #require(bench.bluetooth.phones.nextDeadline)
    #expect(end >= now.advanced(by: bench.context.settings.phoneWait))
    #expect(end <= MonotonicInstant.now().advanced(by: bench.context.settings.phoneWait))
  }

  @Test func phoneThatDoesNotCome_isReportedInPlaceOfTheWait() throws {
    let bench = try Bench(isOn: true, phone: phone)
    #expect(
      try bench.context.isTurnRequested { bench.bluetooth.phones.endWait(for: phone.address) })
    #expect(bench.notice == UnitNotice(.phoneAbsent, about: phone.name) && bench.notice == nil)
    #expect(bench.bluetooth.phones.awaitedName == nil)
  }

  /// A user ends the wait for the phone with *pause*. After that, this run shows no wait, and the next start does not
  /// wait for the phone.
  @Test func waitThatAPersonEnds_isNotShown_andNotRepeated() throws {
    var state = UnitState()
    state.phoneSource = phone
    let bench = try Bench(isOn: true, phone: phone, state)
    let port = bench.unit.center.connect(SurfaceDescription(id: "test"), at: .now()) { _ in }
    port.send(.media(.pause), on: .text, at: .now())
    #expect(bench.bluetooth.phones.awaitedName == nil && bench.notice == nil)
    bench.memory.saveLast()
    try bench.context.loop.turn { bench.memory.hasStoredUnconfirmed }
    let next = UnitMemory(
      bench.context.loop, bench.context.settings, bench.context.turns, log: bench.context.log)
    #expect(next.opened.phoneSource?.wasPlaying == false)
    next.shutDown()
  }

  @Test func use_passesTheSettingsOn() throws {
    let bench = try Bench(isOn: true)
    let other = try PartContext([
      "bluetooth-name = Camper", "play-when-phone-connects = yes", "dial-phones = no",
    ])
    bench.bluetooth.use(other.settings)
    #expect(bench.bluetooth.target.options.name == "Camper")
    #expect(!bench.bluetooth.target.options.reconnects)
    #expect(bench.bluetooth.phones.playsConnectedPhones)
  }
}
