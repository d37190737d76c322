import AudioEngine
import Testing

@testable import autoharp

@Suite struct SinkChoiceTests {
  @Test func silenceReason_absentDevice_isNoSoundCard() {
    let error = SinkError("default cannot be opened: No such device", isAbsent: true)
    let reason = SilenceReason(error)
    #expect(reason == .noSoundCard(error.reason))
    #expect(reason.notice.contains(error.reason))
  }

  @Test func silenceReason_busyDevice_isTheReasonOfTheSink() {
    let error = SinkError("default cannot be opened: Device or resource busy")
    let reason = SilenceReason(error)
    #expect(reason == .unusable(error.reason))
    #expect(reason.notice.contains(error.reason))
  }
}
