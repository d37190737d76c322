import Bluez
@testable import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Tests that the player is registered again after any failure of BlueZ.
@Suite struct RecoveryTests {
  private func isSurface(_ bench: Bench) -> Bool {
    bench.center.inspection(at: .now()).surfaces.contains { $0.id == AVRCPTarget.surface }
  }

  @Test func bluezRestarts_playerAndAgentAreRegisteredAgain() throws {
    let bench = try Bench { $0.addDevice(Bench.phone) }
    try bench.turn { bench.bluez.agent?.isDefault == true }
    bench.source.play()
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    #expect(!isSurface(bench))
    // The next registration contains the changes that were made while bluetoothd was not running.
    bench.source.content = song("meanwhile")
    bench.source.publish()
    try bench.bluez.start()
    try bench.turn { bench.player != nil && bench.isRegistered }
    try bench.turn { bench.bluez.agent?.isDefault == true }
    #expect(bench.player?.title == "meanwhile")
    #expect(bench.player?.status == "Playing")
    #expect(isSurface(bench))
    bench.bluez.press(.forward)
    try bench.turn { bench.source.performed == ["next"] }
    #expect(bench.states.contains { $0.service == .noService })
    #expect(bench.states.last?.service == .ready)
  }

  @Test func bluezFailsToListItsObjects_isCalledAgain() throws {
    let bench = try Bench()
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    bench.bluez.failingListings = 1
    try bench.bluez.start()
    try bench.turn { bench.player != nil && bench.isRegistered }
    #expect(bench.bluez.failingListings == 0)
  }

  @Test func adapterReconnected_playerIsRegisteredAgain() throws {
    let bench = try Bench()
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.target.state.service == .noAdapter }
    #expect(!isSurface(bench))
    bench.bluez.addAdapter()
    try bench.turn { bench.player != nil && bench.isRegistered && isSurface(bench) }
  }

  @Test func everyAdapter_hasAPlayer() throws {
    let bench = try Bench()
    bench.bluez.addAdapter("hci1", address: "00:11:22:33:44:66")
    try bench.turn { bench.target.state.adapters.count { $0.hasPlayer } == 2 }
    bench.source.play()
    try bench.turn { bench.bluez.player("hci1")?.status == "Playing" }
    bench.bluez.press(.forward, adapter: "hci1")
    try bench.turn { bench.source.performed == ["next"] }
    // The removal of one adapter does not affect the other adapter.
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.target.state.adapters.count == 1 }
    #expect(isSurface(bench))
    bench.bluez.press(.backward, adapter: "hci1")
    try bench.turn { bench.source.performed == ["next", "previous"] }
  }

  @Test func release_playerIsRegisteredAgain() throws {
    let bench = try Bench()
    bench.bluez.releasePlayers()
    try bench.turn { !bench.isRegistered }
    try bench.turn { bench.isRegistered && bench.player != nil }
    #expect(bench.bluez.calls.filter { $0 == "RegisterPlayer hci0" }.count == 2)
  }

  @Test func refusedPlayer_isLogged_andRegisteredLater() throws {
    var refusals = 1
    let bench = try Bench(hasAdapter: false) { bluez in
      bluez.onRegisterPlayer = {
        refusals -= 1
        return refusals >= 0 ? .failure("NotSupported", "Operation is not supported") : nil
      }
      bluez.addAdapter()
    }
    try bench.turn { bench.log.contains { $0.event == .playerRefused } }
    #expect(!bench.isRegistered)
    try bench.turn { bench.isRegistered }
  }

  @Test func registerPlayer_alreadyExists_countsAsRegistered() throws {
    let bench = try Bench(hasAdapter: false) { bluez in
      bluez.onRegisterPlayer = { .failure("AlreadyExists", "Already Exists") }
      bluez.addAdapter()
    }
    try bench.turn { bench.isRegistered }
  }

  @Test func adapterSwitchedOffAndOn_playerIsRegisteredAgain() throws {
    let bench = try Bench()
    bench.bluez.set(adapter: "hci0", "Powered", .boolean(false))
    try bench.turn { bench.target.state.adapters.first?.isPowered == false }
    // BlueZ removes the player when the adapter is powered off.
    bench.bluez.releasePlayers()
    try bench.turn { !bench.isRegistered }
    bench.bluez.set(adapter: "hci0", "Powered", .boolean(true))
    try bench.turn { bench.isRegistered }
  }

  @Test func adapterIsOff_isSwitchedOn() throws {
    let bench = try Bench(hasAdapter: false) { $0.addAdapter(isPowered: false) }
    try bench.turn { bench.target.state.adapters.first?.isPowered == true }
  }

  @Test func adapterIsBlocked_isLogged() throws {
    let bench = try Bench(hasAdapter: false) {
      $0.isBlocked = true
      $0.addAdapter(isPowered: false)
    }
    try bench.turn { bench.log.contains { $0.event == .adapterNotSet } }
  }

  @Test func busIsMissing_isReportedAsService() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let client = BluezClient(loop, bus: .bus("unix:path=\(folder.path("none"))"))
    let target = AVRCPTarget(client, center, seed: 1, clock: MonotonicInstant.now)
    client.start()
    while try loop.step() {}
    #expect(target.state.service == .noBus)
    #expect(target.openPairing(for: nil)?.code == .noSystemBus)
  }

  @Test func busEnds_isReported_andTheUnitContinues() throws {
    let bench = try Bench()
    bench.bus.stop()
    try bench.turn { bench.target.state.service == .noBus }
    #expect(!isSurface(bench))
    bench.source.play()
    #expect(bench.target.report.sections.first?.facts.first?.grade == .note)
  }

  // MARK: The guard (P12) and the loop-back (C7)

  @Test func channel_isTestedInBothDirections_C7() throws {
    let bench = try Bench()
    try bench.turn {
      bench.center.inspection(at: .now()).surfaces.first { $0.id == AVRCPTarget.surface }?
        .channel.hasPassed == true
    }
  }

  /// A policy rule of the bus blocks the signals of the player. BlueZ accepts the player, but phones learn of no
  /// change.
  @Test func channelWhoseSignalsTheBusDenies_fails_C7() throws {
    let bench = try Bench(policy: [
      """
      <busconfig><policy context="default"><allow own="*"/><allow send_type="method_call"/>
      <deny send_type="signal" send_path="/org/autoharp/player/hci0"/></policy></busconfig>
      """
    ])
    func channel() -> ChannelCheck? {
      bench.center.inspection(at: .now()).surfaces.first { $0.id == AVRCPTarget.surface }?.channel
    }
    try bench.turn {
      if case .passed? = channel()?.fromSurface { true } else { false }
    }
    try bench.settle()
    #expect(channel()?.toSurface == .waiting)
    bench.center.expire(at: MonotonicInstant.now().advanced(by: ChannelCheck.limit))
    #expect(channel()?.toSurface == .failed)
    let finding = bench.target.findings.first { $0.code == "bluetooth.signals-lost" }
    #expect(finding?.grade == .bad && finding?.remedy != nil)
  }

  /// The signal that tests the channel contains no property, so phones get no notification.
  @Test func channelTest_isNoNotificationForPhones() throws {
    let bench = try Bench()
    let before = bench.player?.events
    try bench.turn {
      bench.center.inspection(at: .now()).surfaces.first { $0.id == AVRCPTarget.surface }?
        .channel.hasPassed == true
    }
    try bench.settle()
    #expect(before != nil && bench.player?.events == before)
    #expect(bench.player?.lostDictionaries == 0)
  }

  @Test(arguments: [
    ("PlaybackStatus", BusValue.string("Playing"), "status"),
    ("LoopStatus", .string("Track"), "repeat"),
  ])
  func differenceOnTheBus_isCounted_andRepairedOnce_P12(
    _ property: String, _ value: BusValue, _ field: String
  ) throws {
    let bench = try Bench()
    func shown() -> String? {
      property == "LoopStatus" ? bench.player?.settings["Repeat"] : bench.player?.status
    }
    let correct = shown()
    let player = try #require(bench.player)
    // The test sends a false value through the bus connection of the unit, as if the unit had a bug.
    let bus = try #require(bench.target.client.bus)
    try bus.emitPropertiesChanged(
      player.path, "org.mpris.MediaPlayer2.Player", [(property, value)])
    try bench.turn { shown() != correct }
    // The guard compares again after the next publication.
    bench.source.shuffleMode = .items
    bench.source.publish()
    try bench.turn { shown() == correct }
    let check = try #require(
      bench.center.inspection(at: .now()).surfaces.first { $0.id == AVRCPTarget.surface }?.check)
    #expect(check.differencesSeen == 1 && check.repairs == 1)
    #expect(bench.log.contains { $0.event == .playerDiffers && $0.text.contains(field) })
  }
}
