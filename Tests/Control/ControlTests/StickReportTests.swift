import Console
import ConsoleLink
import EventLoop
import Files
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests `report stick` with a helper on a real socket. The helper itself is tested with the image.
@Suite struct StickReportTests {
  private static let done = "done written autoharp-report-7.txt\n"

  private func bench(
    sticks: [String] = ["sda1"], journal: String = "true",
    change: (inout MachineFiles) -> Void = { _ in }
  ) throws -> MachineBench {
    let bench = try MachineBench(journal: journal, change: change)
    let media = bench.folder.path("media")
    try bench.write(
      "mountinfo",
      sticks.enumerated().map { "2\($0) 1 8:\($0) / \(media)/\($1) ro - vfat /dev/\($1) ro\n" }
        .joined())
    return bench
  }

  private func helper(
    _ bench: MachineBench, readsBodies: Bool = true, _ answer: String = done
  ) throws -> FakeHelper {
    try FakeHelper(bench.folder.path("stick-report"), readsBodies: readsBodies) { _ in answer }
  }

  @Test func report_isSentToTheHelper_withItsMarksAndItsChecksum() throws {
    let bench = try bench(journal: "printf 'MESSAGE=ünï\\n\\n'")
    let helper = try helper(bench)
    let reply = try bench.ask("report stick --yes")
    #expect(reply.code == "report-written" && reply.outcome == .success)
    let body = try #require(helper.bodies.first)
    #expect(helper.requests == ["write sda1 \(body.count)"])
    let lines = String(decoding: body, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "-----BEGIN AUTOHARP REPORT-----" && lines.last == "")
    let content = lines[1..<(lines.count - 2)]
    var checksum = CRC32()
    for line in content { checksum.add((line + "\n").utf8) }
    let check = String(format: "%08X", checksum.value)
    #expect(
      lines[lines.count - 2] == "-----END AUTOHARP REPORT \(content.count) \(check)-----")
    #expect(content.contains { $0.hasSuffix("ünï") })
    guard case .done(let message) = reply, let text = message?.text else { return }
    #expect(text.hasPrefix("The report is in autoharp-report-7.txt on sda1."))
    #expect(text.contains("\(content.count) lines") && text.contains(check))
    #expect(bench.events.count == 1, "it says at once how long it lasts")
  }

  @Test func largeReport_arrivesCompletely() throws {
    let bench = try bench(
      journal: """
        i=0; while [ $i -lt 400 ]; do printf 'MESSAGE=%0290d\\n\\n' $i; i=$((i+1)); done
        """)
    mkdir(bench.folder.path("log"), 0o755)
    let line = String(repeating: "x", count: 299) + "\n"
    for number in 1...10 {
      try bench.write("log/kernel.\(number)", String(repeating: line, count: 100))
    }
    let helper = try helper(bench)
    #expect(try bench.ask("report stick --yes").code == "report-written")
    let body = try #require(helper.bodies.first)
    // A socket holds about 200 KB.
    #expect(body.count > 400_000 && helper.requests == ["write sda1 \(body.count)"])
    #expect(String(decoding: body.suffix(6), as: UTF8.self) == "-----\n")
  }

  @Test(arguments: [
    ("refused full sda1 has no room for the report.\n", "stick-report-full"),
    ("failed write sda1 cannot be written: Input/output error.\n", "stick-report-write"),
    ("", "helper-silent"), ("nonsense\n", "helper-silent"),
  ])
  func reportThatIsNotWritten_saysWhy(_ answer: String, _ code: String) throws {
    for readsBodies in [true, false] {
      let bench = try bench()
      let helper = try helper(bench, readsBodies: readsBodies, answer)
      #expect(try bench.ask("report stick --yes sda1").code == code)
      withExtendedLifetime(helper) {}
    }
  }

  @Test func severalSticks_areRefusedWithTheirNames_untilOneIsNamed() throws {
    let bench = try bench(sticks: ["sda1", "sdb1"])
    let helper = try helper(bench)
    for refusal in [
      bench.backend.obstacle(to: .stick(.report(nil))),
      Refusal(try bench.ask("report stick --yes")),
    ] {
      #expect(refusal?.code == .noSuchStick && refusal?.remedy?.contains("sda1, sdb1") == true)
    }
    #expect(try bench.ask("report stick --yes sdz").code == "no-such-stick")
    #expect(helper.requests == [] && bench.events.isEmpty, "nothing was collected")
    #expect(bench.backend.obstacle(to: .stick(.report("sdb1"))) == nil)
    #expect(try bench.ask("report stick --yes sdb1").code == "report-written")
    #expect(helper.requests.first?.hasPrefix("write sdb1 ") == true)
  }

  @Test func withoutAStick_orWithoutAnImage_nothingIsCollected() throws {
    let bench = try bench(sticks: [])
    #expect(bench.backend.obstacle(to: .stick(.report(nil)))?.code == .noSuchStick)
    #expect(try bench.ask("report stick --yes").code == "no-such-stick")
    let other = try MachineBench(isOfImage: false)
    #expect(other.backend.obstacle(to: .stick(.report("sda1")))?.code == .noImage)
    #expect(bench.events.isEmpty)
  }

  @Test func missingHelper_isNamed() throws {
    #expect(try bench().ask("report stick --yes").code == "no-image")
  }

  /// The connection waits in the queue of the socket, and nobody reads it.
  @Test func helperThatNeverAnswers_isGivenUp() throws {
    let bench = try bench { $0.reportTime = .milliseconds(50) }
    let listener = try #require(UnixSocket.bound(to: bench.folder.path("stick-report")))
    defer { close(listener) }
    #expect(listen(listener, 1) == 0)
    #expect(try bench.ask("report stick --yes").code == "helper-silent")
    #expect(try bench.ask("version").code == "version")
  }

  @Test func consoleAsksBeforeItWritesToAStick() {
    for name in [nil, "sda1"] {
      let confirmation = ConsoleCommand.stick(.report(name)).confirmation
      #expect(confirmation?.question.hasSuffix("[y/N] ") == true)
    }
    #expect(ConsoleCommand.stick(.test("sda1")).confirmation == nil)
  }
}

extension Refusal {
  fileprivate init?(_ reply: ConsoleReply) {
    guard case .refused(let refusal) = reply else { return nil }
    self = refusal
  }
}
