import TestKit
import Testing

@testable import autoharp

@Suite struct ProbeReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func verify_stoppedAtOnce_isInterrupted() throws {
    try GeneratedMusic(frames: 5000).flac(folder, "a.flac")
    var parts: [Double] = []
    let report = ProbeReport(path: folder.path("a.flac"), verify: true) { part in
      parts.append(part)
      return false
    }
    #expect(report.isInterrupted)
    #expect(report.verification == nil)
    #expect(parts == [0])
  }

  @Test func verify_completed_isWhole() throws {
    try GeneratedMusic(frames: 5000).flac(folder, "a.flac")
    let report = ProbeReport(path: folder.path("a.flac"), verify: true) { _ in true }
    #expect(!report.isInterrupted)
    #expect(report.verification?.frames == 5000)
    #expect(!report.hasProblems)
  }
}
