import AudioEngine
import Testing

@testable import autoharp

@Suite struct SinkChoiceTests {
  @Test func whySilent_noDevice_isThatThereIsNoSoundCard() {
    let error = SinkError("default cannot be opened: No such device", isAbsent: true)
    #expect(
      SinkChoice.whySilent(error)
        == "No sound card (default cannot be opened: No such device);"
        + " playing silently, in real time.")
  }

  @Test func whySilent_deviceRefuses_isWhatItSays() {
    let error = SinkError("default cannot be opened: Device or resource busy")
    #expect(
      SinkChoice.whySilent(error)
        == "default cannot be opened: Device or resource busy; playing silently, in real time.")
  }
}
