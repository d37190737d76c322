import AudioCodecs
import AudioEngine
import Foundation
import TestKit
import Testing

@testable import ALSASink

/// A temporary folder replaces `/proc/asound`. The tests write the files of simulated sound cards into this folder.
struct SoundCardChoiceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func plugIn(
    _ number: Int, _ id: String, isUSB: Bool = false, plays: Bool = true
  ) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("card\(number)/pcm0p"), withIntermediateDirectories: true)
    try folder.write("card\(number)/id", Array("\(id)\n".utf8))
    if isUSB { try folder.write("card\(number)/usbid", Array("0d8c:0014\n".utf8)) }
    if plays {
      try folder.write("card\(number)/pcm0p/info", Array("card: \(number)\ndevice: 0\n".utf8))
    }
  }

  private func unplug(_ number: Int) throws {
    try FileManager.default.removeItem(atPath: folder.path("card\(number)"))
  }

  private func choice(_ wanted: SoundCard.Kind?) -> SoundCardChoice {
    SoundCardChoice(wanted, folder: folder.url.path)
  }

  @Test func auto_prefersUSB_thenDAC_thenJack_thenHDMI_thenTheDefault() throws {
    try plugIn(0, "vc4hdmi0")
    try plugIn(1, "Headphones")
    try plugIn(2, "dac")
    try plugIn(3, "Device", isUSB: true)
    let choice = choice(nil)
    var pcms: [String] = []
    for number in [3, 2, 1, 0] {
      pcms.append(try choice.pcm())
      try unplug(number)
    }
    #expect(
      pcms == [
        "hw:CARD=Device,DEV=0", "hw:CARD=dac,DEV=0", "hw:CARD=Headphones,DEV=0",
        "hdmi:CARD=vc4hdmi0",
      ])
    #expect(choice.chosen?.kind == .hdmi)
    #expect(try choice.pcm() == "default")
    #expect(choice.chosen == nil)
  }

  /// A sound card that is neither USB, DAC, jack nor HDMI is not chosen. The sink then uses ALSA's PCM `default`, as on
  /// a machine without a sound card. The emulator has only such a card.
  @Test func auto_leavesACardOfAnotherKindToALSA() throws {
    try plugIn(0, "Intel")
    #expect(try choice(nil).pcm() == "default")
  }

  @Test(arguments: SoundCard.Kind.allCases)
  func wantedKind_isTheOnlyOneThatIsUsed_andItsAbsenceIsReported(_ kind: SoundCard.Kind) throws {
    let ids: [SoundCard.Kind: String] = [
      .usb: "Device", .dac: "dac", .jack: "Headphones", .hdmi: "vc4hdmi",
    ]
    for (number, other) in SoundCard.Kind.allCases.enumerated() where other != kind {
      try plugIn(number, try #require(ids[other]), isUSB: other == .usb)
    }
    let choice = choice(kind)
    let error = #expect(throws: SinkError.self) { _ = try choice.pcm() }
    #expect(error?.isAbsent == true && error?.reason.contains(kind.rawValue) == true)
    try plugIn(7, try #require(ids[kind]), isUSB: kind == .usb)
    #expect(try choice.pcm().contains("CARD=\(try #require(ids[kind]))"))
    #expect(choice.chosen?.kind == kind)
  }

  @Test func cardThatOnlyRecords_orHasAnIdentityOfAnotherForm_isNotUsed() throws {
    try plugIn(0, "Camera", isUSB: true, plays: false)
    try plugIn(1, "A,DEV=1", isUSB: true)
    #expect(SoundCard.all(in: folder.url.path).isEmpty)
    #expect(try choice(nil).pcm() == "default")
  }

  /// The engine tries to open the output each second, so a sound card that is plugged in later is found.
  @Test func sink_opensTheCardThatIsThereAtEachAttempt() throws {
    let sink = ALSASink(name: "default", choice: choice(.usb))
    let format = StreamFormat(sampleRate: 44100, layout: .stereo, encoding: .integer(bits: 16))
    let missing = #expect(throws: SinkError.self) { _ = try sink.open(format) }
    #expect(missing?.isAbsent == true && missing?.reason.contains("'usb'") == true)
    // The sound card exists only in the test's folder. ALSA does not know it, so the opening fails. The error names the
    // PCM that was chosen.
    try plugIn(0, "Unknown_To_ALSA", isUSB: true)
    let unknown = #expect(throws: SinkError.self) { _ = try sink.open(format) }
    #expect(unknown?.reason.contains("hw:CARD=Unknown_To_ALSA,DEV=0") == true)
  }
}
