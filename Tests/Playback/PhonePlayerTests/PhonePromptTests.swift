import PhonePlayer
import LocalPlayer
import HeadUnit
import NowPlaying
import SystemClock
import TestKit
import Testing

/// Tests prompts: sound of a phone that is not music.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct PhonePromptTests {
  private let session = SessionID("phone-\(Car.phone)")

  /// The RMS level of the samples that were heard in the last `seconds`.
  private func loudness(_ car: Car, last seconds: Double) throws -> Double {
    let samples = try car.heard().suffix(Int(44_100 * seconds) * 2)
    let sum = samples.reduce(0.0) { $0 + Double($1) / 2_147_483_648 * Double($1) / 2_147_483_648 }
    return (sum / Double(max(samples.count, 1))).squareRoot()
  }

  @Test func prompt_isMixedOverTheSong_whichGoesOn() throws {
    let car = try Car()
    car.unit.player.resume()
    try car.turn { car.state.status == .playing && car.unit.player.elapsedSeconds > 0.3 }
    car.addPlayer(status: "paused")
    try car.stream()
    try car.turn(for: .milliseconds(900))
    #expect(car.state.session == "local" && car.state.status == .playing)
    #expect(car.unit.center.arbitration["local"]?.sound == .ducked(by: "phone-prompt"))
    let elapsed = car.unit.player.elapsedSeconds
    try car.turn { car.unit.player.elapsedSeconds > elapsed + 0.3 }
    // The prompt ends, and the song has its normal level again.
    car.suspend()
    try car.turn { car.unit.center.arbitration["local"]?.sound == .free }
    #expect(car.commands.isEmpty && car.state.session == "local")
  }

  /// The song is paused, so the prompt is the only sound that is heard.
  @Test func prompt_whileTheSongIsPaused_isHeard_andTheSongStaysNowPlaying() throws {
    let car = try Car()
    car.unit.player.resume()
    try car.turn { car.state.status == .playing && car.unit.player.elapsedSeconds > 0.2 }
    car.send(.pause)
    try car.turn { car.state.status == .paused }
    try car.turn(for: .milliseconds(300))
    #expect(try loudness(car, last: 0.1) == 0)
    car.addPlayer(status: "stopped")
    try car.stream()
    try car.turn(for: .milliseconds(900))
    #expect(try loudness(car, last: 0.2) > 0.01)
    #expect(car.state.session == "local" && car.state.status == .paused)
  }

  /// The chime is mixed into the prompt. Both are heard, and the prompt continues after the chime.
  @Test func chime_duringAPrompt_endsAlone_andThePromptGoesOn() throws {
    let car = try Car()
    let folder = try TemporaryFolder()
    try GeneratedMusic(frames: 44_100 / 4).flac(folder, "chime.flac")
    car.addPlayer(status: "stopped")
    try car.stream()
    try car.turn { car.unit.center.arbitration["phone-prompt"] != nil }
    try car.turn(for: .milliseconds(400))
    #expect(car.unit.playChime(path: folder.path("chime.flac"), name: "chime") == nil)
    #expect(car.unit.isChiming)
    try car.turn { !car.unit.isChiming }
    #expect(car.unit.center.arbitration["phone-prompt"] != nil)
    try car.turn(for: .milliseconds(400))
    #expect(try loudness(car, last: 0.2) > 0.01)
    car.suspend()
    try car.turn { car.unit.center.arbitration["phone-prompt"] == nil }
  }

  /// The reverse gear silences the unit, so nobody would hear the chime.
  @Test func chime_whileTheReverseGearSilencesTheUnit_isRefused() throws {
    let car = try Car()
    car.unit.setAttenuation(.silent, for: .reverseGear)
    #expect(car.unit.playChime(path: "/missing", name: "chime") == .silenced)
    car.unit.setAttenuation(.lowered, for: .reverseGear)
    #expect(car.unit.center.arbitration.attenuation == .lowered)
    car.unit.setAttenuation(.none, for: .reverseGear)
    #expect(car.unit.center.arbitration.attenuation == .none)
  }

  @Test func prompt_thenPlaying_isMusic() throws {
    let car = try Car()
    car.unit.player.resume()
    try car.turn { car.state.status == .playing }
    car.addPlayer(status: "paused")
    try car.stream()
    try car.turn { car.unit.center.arbitration["phone-prompt"] != nil }
    car.setStatus("playing")
    try car.turn { car.state.session == session && car.phones.isHeard }
    #expect(car.unit.center.arbitration["phone-prompt"] == nil)
    try car.turn(for: .milliseconds(500))
    #expect(try loudness(car, last: 0.2) > 0.01)
  }
}
