import LocalPlayer
import HeadUnit
import PhoneLink
import PhonePlayer
import NowPlaying
import SystemClock
import TestKit
import Testing

/// Tests the wait for a phone, for example for the phone that was the last source before the power was cut.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct PhoneWaitTests {
  private static let session = SessionID("phone-\(Car.phone)")

  /// A car that waits for a phone.
  private func waitingCar() throws -> Car {
    let car = try Car(isConnected: false)
    car.phones.wait(for: Car.phone, name: "Ann's", time: .seconds(30))
    try car.turn { car.state.session == Self.session }
    return car
  }

  @Test func wait_showsThePhone_andTellsItToPlay() throws {
    let car = try waitingCar()
    #expect(car.state.status == .buffering && car.state.content?.lines().title == "Ann's")
    #expect(car.phones.awaitedName == "Ann's")
    #expect(car.phones.primary?.address == Car.phone)
    car.bench.bluez.connect(Car.phone)
    // bluetoothd connects the remote control (AVRCP) after the sound (A2DP).
    try car.configure()
    try car.turn { car.phones.awaitedName == nil }
    #expect(car.commands.isEmpty)
    car.addPlayer()
    try car.turn { car.commands == ["Play player0"] }
    car.setStatus("playing")
    try car.stream()
    try car.turn { car.state.session == Self.session && car.state.status == .playing }
  }

  @Test func wait_configurationIsReloaded_showsTheNewButtons() throws {
    let car = try waitingCar()
    #expect(car.state.template.buttons.map(\.kind) == [.shuffle, .repeat, .more])
    car.buttons.list = [.repeat()]
    car.phones.configureButtons()
    #expect(car.state.template.buttons.map(\.kind) == [.repeat])
  }

  /// The user has chosen the phone instead of the song, so the song does not resume while the phone connects.
  @Test func wait_forAChosenPhone_doesNotResumeTheSong() throws {
    let car = try Car(isConnected: false)
    car.unit.player.resume()
    try car.turn { car.state.status == .playing }
    car.phones.wait(for: Car.phone, name: "Ann's", time: .seconds(30))
    try car.turn { car.state.session == Self.session && car.unit.player.state.isPaused }
    car.bench.bluez.connect(Car.phone)
    try car.configure()
    try car.turn { car.phones.awaitedName == nil }
    try car.turn(for: .milliseconds(300))
    // The phone has no player yet, but surfaces still show the phone.
    #expect(car.state.session == Self.session && car.state.status == .buffering)
    #expect(car.unit.player.state.isPaused)
    car.addPlayer()
    try car.turn { car.commands == ["Play player0"] }
  }

  /// The phone connects its remote control before its sound. If it were told to play before the sound is connected, it
  /// would play through its own loudspeaker.
  @Test func wait_playerBeforeTheSound_tellsThePhoneToPlayAfterTheSound() throws {
    let car = try waitingCar()
    car.bench.bluez.connect(Car.phone)
    car.addPlayer()
    try car.turn { car.phones.awaitedName == nil }
    try car.turn(for: .milliseconds(200))
    #expect(car.commands.isEmpty && car.state.status == .buffering)
    try car.configure()
    try car.turn { car.commands == ["Play player0"] }
  }

  /// The daemon has started again. The phone has stayed connected, but its sound is not connected any more.
  @Test func wait_soundIsNotConnected_isRequestedOnce() throws {
    let car = try Car(isConnected: false)
    var requested: [String] = []
    car.phones.onSoundMissing = { requested.append($0) }
    car.phones.wait(for: Car.phone, name: "Ann's", time: .seconds(30))
    try car.turn { car.state.session == Self.session }
    car.bench.bluez.connect(Car.phone)
    car.addPlayer()
    try car.turn { car.phones.awaitedName == nil }
    #expect(requested.isEmpty)
    car.ahead = .seconds(4)
    try car.turn { !requested.isEmpty }
    try car.turn(for: .milliseconds(100))
    #expect(requested == car.link.connected)
    try car.configure()
    try car.turn { car.commands == ["Play player0"] }
  }

  /// When the daemon starts again, the phone loses its sound connection. So bluetoothd disconnects the remote control a
  /// second later.
  @Test func wait_phoneLeavesBeforeItsSoundIsConnected_isLost() throws {
    let car = try waitingCar()
    var lost: [String] = []
    car.phones.onLoss = { address, _ in
      lost.append(address)
      car.phones.wait(for: address, name: "Ann's", time: .seconds(30))
    }
    car.bench.bluez.connect(Car.phone)
    car.addPlayer()
    try car.turn { car.phones.awaitedName == nil }
    car.bench.bluez.removePlayer(Car.phone)
    car.bench.bluez.disconnect(Car.phone, reason: "Local")
    try car.turn { !lost.isEmpty }
    #expect(lost == [Car.phone])
    car.bench.bluez.connect(Car.phone)
    car.addPlayer()
    try car.configure()
    try car.turn { car.commands == ["Play player0"] }
    #expect(lost == [Car.phone])
  }

  @Test func wait_anotherPhoneCannotBeConnected_continues() throws {
    let car = try Car(isConnected: false)
    car.phones.wait(for: Car.other, name: "Bob's", time: .seconds(30))
    car.phones.wait(for: Car.phone, name: "Ann's", time: .seconds(30))
    try car.turn { car.state.session == Self.session }
    var absent: [String] = []
    car.phones.onAbsence = { absent.append($0) }
    car.phones.endWait(for: Car.other)
    #expect(car.phones.awaitedName == "Ann's" && absent.isEmpty)
    car.phones.endWait(for: Car.phone)
    #expect(car.phones.awaitedName == nil && absent == ["Ann's"])
  }

  @Test func wait_noPhone_endsInSilence() throws {
    let car = try Car(isConnected: false)
    var absent: [String] = []
    car.phones.onAbsence = { absent.append($0) }
    car.phones.wait(for: Car.phone, name: "Ann's", time: .milliseconds(300))
    try car.turn { car.state.session == Self.session }
    try car.turn { car.state.session == "local" }
    #expect(car.phones.awaitedName == nil && car.phones.primary == nil && absent == ["Ann's"])
    try car.turn(for: .milliseconds(200))
    #expect(!car.state.status.isAdvancing)
    // The phone connects after the wait has ended, so it is not told to play.
    car.bench.bluez.connect(Car.phone)
    car.addPlayer()
    try car.turn(for: .milliseconds(300))
    #expect(car.commands.isEmpty)
  }

  @Test func wait_somebodyPlaysMusic_ends() throws {
    let car = try waitingCar()
    car.unit.player.resume()
    try car.turn { car.state.session == "local" && car.state.status == .playing }
    #expect(car.phones.awaitedName == nil)
  }

  @Test func wait_pause_ends() throws {
    let car = try waitingCar()
    var stopped: [String] = []
    car.phones.onWaitStopped = { stopped.append($0) }
    car.phones.onAbsence = { stopped.append($0) }
    car.send(.pause)
    try car.turn { car.state.session == "local" }
    #expect(stopped == [Car.phone])
    #expect(car.phones.awaitedName == nil && !car.state.status.isAdvancing)
  }

  @Test func phoneConnects_isToldToPlay_onlyIfConfigured() throws {
    let car = try Car(isConnected: false)
    car.phones.playsConnectedPhones = true
    car.bench.bluez.connect(Car.phone)
    car.addPlayer()
    try car.configure()
    try car.turn { car.commands == ["Play player0"] }
    car.phones.playsConnectedPhones = false
    car.bench.bluez.connect(Car.other)
    car.addPlayer(Car.other)
    try car.configure(Car.other, endpoint: 1)
    try car.turn(for: .milliseconds(300))
    #expect(car.commands == ["Play player0"])
  }
}
