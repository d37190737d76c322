import AudioEngine
import Testing

@testable import autoharp

@Suite struct SinkChoiceTests {
  @Test func silenceReason_absentDevice_isNoSoundCard() {
    let error = SinkError("default cannot be opened: No such device", isAbsent: true)
    #expect(
      SinkChoice.whySilent(error)
        == "No sound card (default cannot be opened: No such device);"
        + " playing silently, in real time.")
  }

  @Test func silenceReason_busyDevice_isTheReasonOfTheSink() {
    let error = SinkError("default cannot be opened: Device or resource busy")
    #expect(
      SinkChoice.whySilent(error)
        == "default cannot be opened: Device or resource busy; playing silently, in real time.")
  }
}
