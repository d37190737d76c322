import AudioEngine
import Control
import EventLoop
import HeadUnit
import LocalPlayer
import NowPlaying
import SystemClock
import TestKit
import Testing

@testable import Daemon
@testable import Settings

/// Presses that arrive before the music is found. A whole daemon in this process plays without a sound card.
@Suite struct EarlyPressTests {
  private let home: ServeProcess.Home

  init() throws {
    home = try ServeProcess.Home()
    try home.music("song", seconds: 600)
  }

  /// Sends a request before the music is found. Returns true if the music plays as soon as it is found.
  private func plays(
    _ request: MediaRequest, of origin: PressOrigin?, _ policy: Settings.ConnectPolicy = .ignore,
    start: Settings.StartPolicy = .paused
  ) throws -> Bool {
    let daemon = UnitDaemon(home) {
      $0.start = start
      $0.playOnConnect = policy
    }
    try daemon.begin()
    defer { daemon.shutDown() }
    let port = daemon.unit.center.connect(SurfaceDescription(id: "keys"), at: .now()) { _ in }
    #expect(daemon.music.isSearching && daemon.unit.player.count == 0)
    port.send(.media(request), on: .text, of: origin, at: .now())
    try daemon.loop.turn { !daemon.music.isSearching && daemon.unit.player.count == 1 }
    // If the music must play, the daemon sends *play* one turn of the event loop after the music is found.
    while try daemon.loop.step() {}
    let isAsked = daemon.unit.center.trace.records.contains { $0.surface == "start" }
    if isAsked { try daemon.loop.turn { daemon.unit.center.state.status == .playing } }
    return isAsked
  }

  private let phone = PressOrigin.bluetooth("Ann's", address: "AA:BB:CC:DD:EE:FF")

  @Test func playOfAPerson_isCarriedOutWhenTheMusicIsFound() throws {
    #expect(try plays(.play, of: nil))
    #expect(try plays(.togglePlayPause, of: nil))
  }

  /// A phone sends PLAY by itself when it connects.
  @Test func playOfAPhone_startsNothing_unlessTheSettingObeysIt() throws {
    #expect(try !plays(.play, of: phone))
    #expect(try !plays(.togglePlayPause, of: phone))
    #expect(try plays(.play, of: phone, .obey))
    #expect(try plays(.togglePlayPause, of: phone, .obey))
  }

  @Test func pauseOfAnyDevice_keepsTheMusicSilent() throws {
    #expect(try plays(.next, of: nil, start: .play))
    #expect(try !plays(.pause, of: nil, start: .play))
    #expect(try !plays(.pause, of: phone, start: .play))
    #expect(try !plays(.togglePlayPause, of: phone, start: .play))
  }
}
