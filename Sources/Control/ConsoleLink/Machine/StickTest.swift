internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports
internal import Threads

/// Measures how fast the files of a stick arrive. A thread reads them, so a stick that does not answer does not block
/// the console.
final class StickTest {
  /// A read that takes longer than this after the end of the test is reported as missing.
  private static let patience = Duration.seconds(3)
  /// The speeds that music needs, in KB/s: for FLAC with the quality of a CD, and for WAV.
  private static let needed = (flac: 110, wav: 177)

  private let reading: StickReading
  private let name: String
  private var source: DescriptorSource?
  private var timer: TimerSource?
  private var completion: ((FactsReport) -> Void)?

  /// - Parameters:
  ///   - name: the name of the stick, for the report.
  ///   - completion: called once by the loop.
  init(
    _ loop: EventLoop, name: String, folder: String, time: Duration,
    _ completion: @escaping (FactsReport) -> Void
  ) {
    self.name = name
    self.completion = completion
    let reading = StickReading(folder, time: time)
    self.reading = reading
    source = try? DescriptorSource(loop, descriptor: reading.wakeUp.descriptor) { [weak self] _ in
      reading.wakeUp.clear()
      self?.finish()
    }
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.finish() }
    timer?.set(after: time + Self.patience)
    NamedThread("stick-test") { reading.run() }.detach()
  }

  deinit {
    reading.cancel()
    source?.cancel()
    timer?.cancel()
  }

  private func finish() {
    let handler = completion
    completion = nil
    source?.cancel()
    timer?.stop()
    reading.cancel()
    handler?(Self.report(reading.results, name, at: MonotonicClock.nanoseconds))
  }

  /// - Parameter now: the time of the monotonic clock in nanoseconds.
  static func report(_ results: StickReading.Results, _ name: String, at now: Int64) -> FactsReport
  {
    var facts: [FactsReport.Fact] = []
    let files = "\(results.files) \(results.files == 1 ? "file" : "files")"
    let seconds = Double(results.nanoseconds) / 1e9
    facts.append(
      .init("read", "\(ByteText.words(results.bytes)) of \(files) in \(tenths(seconds)) s"))
    if results.bytes > 0 {
      let rate = Int(min(Double(results.bytes) / 1000 / max(seconds, 1e-6), 1e9))
      facts.append(
        .init(
          "speed",
          "\(rate) KB/s; music needs at most 40 (MP3), \(needed.flac) (FLAC), \(needed.wav) (WAV)",
          rate < needed.flac ? .bad : rate < needed.wav ? .note : .good))
    } else {
      facts.append(.init("speed", "nothing could be read", .bad))
    }
    if let slowest = results.slowest {
      let milliseconds = slowest.nanoseconds / 1_000_000
      facts.append(
        .init(
          "slowest read", "\(milliseconds) ms in \(slowest.file)",
          milliseconds >= 1000 ? .bad : .good))
    }
    if !results.isOver, let present = results.present, now > present.since {
      let waits = (now - present.since) / 1_000_000_000
      facts.append(
        .init("no answer", "a read of \(present.file) has not returned for \(waits) s", .bad))
    }
    facts.append(
      .init("errors", "\(results.errorCount)", results.errorCount > 0 ? .bad : .good))
    for (index, error) in results.errors.enumerated() {
      facts.append(.init("error \(index + 1)", "\(error.file): \(systemWords(error.code))", .bad))
    }
    return FactsReport([.init(name, facts)])
  }

  private static func tenths(_ seconds: Double) -> String {
    let tenths = Int((min(max(seconds, 0), 1e6) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// A number of bytes in words.
enum ByteText {
  /// A number with a unit of 1000 bytes and its powers.
  static func words(_ bytes: Int) -> String {
    let bytes = max(0, bytes)
    switch bytes {
    case ..<1000: return "\(bytes) bytes"
    case ..<1_000_000: return "\(bytes / 1000) KB"
    case ..<1_000_000_000: return "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    default: return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
    }
  }
}
