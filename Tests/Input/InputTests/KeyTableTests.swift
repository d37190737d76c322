import CInput
import Foundation
import NowPlaying
import Testing

@testable import Input
@testable import Reports

@Suite struct KeyTableTests {
  private func action(_ name: String, _ table: KeyTable = KeyTable(), on device: String = "any")
    throws -> String?
  {
    let code = try #require(InputCode(name))
    return table.meaning(of: code, on: device)?.text
  }

  private func bindings(_ lines: String...) throws -> KeyTable {
    KeyTable(try lines.map { try KeyBinding($0) })
  }

  /// The codes are written as numbers, as the kernel defines them, because bluetoothd sends numbers.
  @Test func meaning_eachKeyOfAPhone_isItsAction() {
    let keys: [(Int32, KeyAction)] = [
      (200, .play), (201, .pause), (166, .stop), (163, .next), (165, .previous),
      (208, .fastForward), (168, .rewind), (115, .volumeUp), (114, .volumeDown), (113, .mute),
    ]
    for (code, action) in keys {
      #expect(KeyTable().meaning(of: .key(UInt16(code)), on: "any") == .key(action), "\(code)")
    }
  }

  @Test func names_eachDefault_isAKernelName() {
    for (name, _) in KeyTable.standardKeys { #expect(InputCode(name)?.kind == .key, "\(name)") }
    for (name, _) in KeyTable.standardTurns { #expect(InputCode(name)?.kind == .turn, "\(name)") }
  }

  @Test func meaning_keysForTypingOrFocus_isNil() throws {
    for name in ["KEY_SPACE", "KEY_UP", "KEY_LEFT", "KEY_ENTER", "KEY_A", "KEY_F5", "BTN_LEFT"] {
      #expect(try action(name) == nil, "\(name)")
    }
  }

  @Test func meaning_binding_overridesTheDefaultAndEarlierBindings() throws {
    let table = try bindings("KEY_F5 next", "KEY_NEXTSONG none", "KEY_F5 previous", "183 mute")
    #expect(try action("KEY_F5", table) == "previous")
    #expect(try action("KEY_NEXTSONG", table) == "none")
    #expect(try action("KEY_F13", table) == "mute")
    #expect(try action("KEY_MUTE", table) == "mute")
  }

  @Test func meaning_bindingForADevice_overridesOneForAllDevices() throws {
    let table = try bindings("KEY_UP volume-up on Steering  Wheel v2", "KEY_UP none")
    #expect(try action("KEY_UP", table, on: "Steering  Wheel v2") == "volume-up")
    #expect(try action("KEY_UP", table, on: "Steering Wheel v2") == "none")
  }

  @Test func request_reversedKnobAndTrackKnob_changesVolumeAndTrack() throws {
    let table = try bindings("REL_DIAL reversed-volume", "REL_HWHEEL tracks")
    #expect(try action("REL_DIAL", table) == "reversed-volume")
    let quieter = KeyRequest.request(.volume(.change(thousandths: -50)))
    #expect(TurnAction.reversedVolume.request(steps: 2) == quieter)
    #expect(TurnAction.volume.request(steps: 2) == .request(.volume(.change(thousandths: 50))))
    #expect(TurnAction.tracks.request(steps: -3) == .request(.media(.previous)))
    #expect(TurnAction.reversedTracks.request(steps: -3) == .request(.media(.next)))
    #expect(
      TurnAction.volume.request(steps: .max) == .request(.volume(.change(thousandths: 25_000))))
    #expect(TurnAction.focus.request(steps: 2) == .focus(FocusMove(.next, times: 2)))
    #expect(TurnAction.reversedFocus.request(steps: 1) == .focus(FocusMove(.previous)))
    #expect(TurnAction.focus.request(steps: .min) == .focus(FocusMove(.previous, times: 32)))
    #expect(TurnAction.volume.request(steps: 0) == nil)
    #expect(TurnAction.nothing.request(steps: 1) == nil)
  }

  static let invalid: [(String, KeyBinding.Refusal.Kind)] = [
    ("KEY_F5", .incomplete), ("", .incomplete),
    ("key_f5 next", .unknownCode), ("0 next", .unknownCode), ("768 next", .unknownCode),
    ("-1 next", .unknownCode), ("99999999999 next", .unknownCode),
    ("KEY_F5 nexx", .unknownAction), ("KEY_F5 volume", .unknownAction),
    ("REL_DIAL next", .unknownAction), ("KEY_F5 next off", .invalidDevice),
    ("KEY_F5 next on", .invalidDevice),
  ]

  @Test(arguments: KeyTableTests.invalid)
  func init_invalidBinding_isRefused(text: String, kind: KeyBinding.Refusal.Kind) {
    let refusal = #expect(throws: KeyBinding.Refusal.self) { try KeyBinding(text) }
    #expect(refusal?.kind == kind)
    #expect(KeyBinding.check(text) == refusal?.reason)
  }

  @Test func init_misspelledKey_suggestsAName() {
    let refusal = #expect(throws: KeyBinding.Refusal.self) {
      try KeyBinding("KEY_NEXTSONGS next")
    }
    #expect(refusal?.kind == .unknownCode)
    #expect(refusal?.reason.contains("'KEY_NEXTSONG'") == true)
  }

  @Test func init_namesOfTheConsole_areAccepted() {
    for text in ["KEY_F5 next", "0x3f next", "BTN_0 play-pause", "REL_DIAL none", "767 mute"] {
      #expect(KeyBinding.check(text) == nil, "\(text)")
    }
  }

  /// Each known name has the same number as in the kernel header of this machine.
  @Test func names_all_equalTheKernelsHeader() throws {
    let header = try String(
      contentsOfFile: "/usr/include/linux/input-event-codes.h", encoding: .utf8)
    // Skip the names of ranges, such as `BTN_MISC`, and of limits, such as `KEY_MAX`.
    let ranges = ["MISC", "MOUSE", "JOYSTICK", "GAMEPAD", "DIGI", "WHEEL", "TRIGGER_HAPPY"]
    var count = 0
    for line in header.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 3, words[0] == "#define", let code = number(words[2]) else { continue }
      let name = String(words[1])
      guard name.hasPrefix("KEY_") || name.hasPrefix("BTN_"), !name.hasSuffix("_MAX") else {
        continue
      }
      if ranges.contains(String(name.dropFirst(4))) { continue }
      // The header of a newer kernel can contain more names. A name that is in the header and in `KeyNames` must have
      // the same number in both.
      guard let known = KeyNames.code(of: name) else { continue }
      #expect(known == code, "\(name)")
      count += 1
    }
    #expect(count > 500)
    #expect(KeyNames.name(of: 163) == "KEY_NEXTSONG")
    #expect(KeyNames.name(of: 0x100) == "BTN_0")
    #expect(KeyNames.code(of: "KEY_SCREENLOCK") == KeyNames.code(of: "KEY_COFFEE"))
  }

  private func number(_ text: Substring) -> UInt16? {
    text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
  }

  @Test func init_nameOfEachCode_isTheCode() {
    for code in UInt16(1)...InputCode.largestKey {
      #expect(InputCode(InputCode.key(code).description) == .key(code))
    }
  }
}
