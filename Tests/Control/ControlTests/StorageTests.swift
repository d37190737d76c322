import Console
import ConsoleLink
import Control
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@Suite struct StorageNoticeTests {
  private func notice(_ identifier: String) throws -> StorageNotice {
    try #require(StorageNotice(line: "\(identifier) A sentence."))
  }

  @Test(arguments: [
    ("data.checking", UnitNotice.Kind.storageChecking, Grade.bad),
    ("data.checked", .storageChecked, .note),
    ("data.repaired", .storageRepaired, .note),
    ("data.erased", .dataErased, .note),
    ("data.not-erased", .dataNotErased, .bad),
    ("data.read-only.unrepaired", .storageReadOnly, .bad),
    ("data.read-only.unchecked", .storageReadOnly, .bad),
    ("data.memory.no-partition", .storageMissing, .bad),
    ("stick.unsupported", .mediumUnsupported, .bad),
    ("stick.encrypted", .mediumUnsupported, .bad),
    ("stick.member", .mediumUnsupported, .bad),
    ("stick.disc", .mediumUnsupported, .bad),
    ("stick.unformatted", .mediumUnformatted, .bad),
    ("stick.damaged", .mediumDamaged, .bad),
    ("stick.unreadable", .mediumUnreadable, .bad),
    ("stick.silent", .mediumSilent, .bad),
  ])
  func identifier_determinesKindAndGrade(
    _ identifier: String, _ kind: UnitNotice.Kind, _ grade: Grade
  ) throws {
    let notice = try notice(identifier)
    #expect(notice.kind == kind && notice.grade == grade && notice.sentence == "A sentence.")
  }

  @Test func unreadableBootPartition_isBadAndHasNoNoticeOnTheScreen() throws {
    let notice = try notice("boot.unreadable")
    #expect(notice.kind == nil && notice.grade == .bad && notice.subject == "boot")
    #expect(notice.remedy?.contains("computer") == true)
  }

  @Test func unreadableStick_isNeverToBeFormatted() throws {
    let remedy = try #require(try notice("stick.unreadable").remedy)
    #expect(!remedy.contains("format") && !remedy.contains("FAT"))
  }

  @Test(arguments: [
    "data.tired", "stick.tired", "data.damaged", "stick.memory", "stick.", "data.", "boot.memory",
  ])
  func unknownIdentifier_hasNoKind(_ identifier: String) throws {
    let notice = try notice(identifier)
    #expect(notice.kind == nil && notice.grade == .note)
  }

  @Test func reportOfAStick_hasTheNameOfItsFileSystem() throws {
    let all = StorageNotice.all(in: "about APFS\nstick.unsupported sda1 has APFS.\n")
    #expect(all.map(\.about) == ["APFS"] && all[0].sentence == "sda1 has APFS.")
    #expect(all.foremost == UnitNotice(.mediumUnsupported, about: "APFS"))
    #expect(StorageNotice.all(in: "identity vfat 1234-ABCD 67108864\n").isEmpty)
    // A notice about the storage is more important than a notice about a stick.
    let storage = try notice("data.repaired")
    #expect((all + [storage]).foremost == UnitNotice(.storageRepaired))
    #expect(storage.remedy != all[0].remedy)
  }

  @Test func lineWithoutAnIdentifier_isSkipped() {
    let all = StorageNotice.all(in: "noise\ndata.checked\n\ndata.repaired It is.\n")
    #expect(all.map(\.identifier) == ["data.repaired"])
  }

  @Test func foremost_isTheMostSevereNotice() throws {
    let all = try ["data.repaired", "data.aside", "data.read-only.unchecked"].map { try notice($0) }
    #expect(all.foremost == UnitNotice(.storageReadOnly))
    #expect(all.prefix(1).map { $0 }.foremost == UnitNotice(.storageRepaired))
    #expect([try notice("data.aside")].foremost == nil)
  }
}

/// Tests standing notices on the control socket. The screen shows a standing notice until a user touches it.
@Suite struct StandingNoticeTests {
  @Test func standingNotice_isSentToEachNewFollower() throws {
    let bench = try Bench()
    bench.unit.standingNotice = UnitNotice(.storageChecking)
    for _ in 0..<2 {
      let client = try bench.client()
      var notices: [UnitNotice] = []
      client.onNotice = { notices.append($0) }
      client.follow(notices: true)
      try bench.loop.turn { !notices.isEmpty }
      #expect(notices == [UnitNotice(.storageChecking)])
    }
  }

  @Test func follow_withoutAStandingNotice_sendsNothing() throws {
    let bench = try Bench()
    let client = try bench.client()
    client.onNotice = { _ in Issue.record("received a notice") }
    client.follow(notices: true)
    _ = try bench.answer { client.call(Unit1.getFacts, .boot, $0) }
  }
}

/// Tests `data check` and `data format`, which the console carries out without the daemon.
@Suite struct StorageCommandTests {
  private let folder: TemporaryFolder
  private let backend: ControlBackend

  init() throws {
    folder = try TemporaryFolder()
    backend = ControlBackend(
      socket: folder.path("missing"), version: "autoharp 9", journal: ["/none"], powerRequest: nil,
      storageFiles: StorageFiles(
        folder: folder.path("run"), repair: folder.path("repair"), socket: folder.path("format")))
  }

  private func ask(
    _ command: ConsoleCommand, while others: () throws -> Void = {}
  ) throws -> ConsoleReply {
    var reply: ConsoleReply?
    backend.send(command) { reply = $0 }
    let end = ContinuousClock.now + Hang.limit
    while reply == nil, ContinuousClock.now < end {
      let time = backend.prepare()
      try others()
      var entry = pollfd(fd: backend.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, time < 0 ? 5 : 0) > 0 || time == 0 { backend.turn() }
    }
    return try #require(reply)
  }

  private func write(_ name: String, _ text: String) throws {
    try folder.write(name, Array(text.utf8))
  }

  @Test func check_onAMachineWithoutAnImage_isRefused() throws {
    guard case .refused(let refusal) = try ask(.data(.check)) else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == .noImage)
  }

  @Test func check_showsTheState_andTheLastRepair() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("run"), withIntermediateDirectories: true)
    try write("run/state", "read-only\n")
    try write("run/notice", "data.read-only.unchecked Why.\ndata.aside What.\n")
    try write("run/report", "partition: /dev/vda3\nmoved: a\nmoved: b: c\n")
    try write("repair", "e2fsck -f -y: exit status 1\n\nPass 1\nFree blocks count wrong: fixed\n")
    let reply = try ask(.data(.check))
    guard case .facts(let report) = reply else {
      Issue.record("no facts")
      return
    }
    #expect(
      report.sections == [
        .init(
          "storage",
          [
            .init("state", "read-only", .bad), .init("notice", "Why.", .bad),
            .init("notice 2", "What.", .note), .init("partition", "/dev/vda3"),
            .init("moved", "a"), .init("moved 2", "b: c"),
          ]),
        .init(
          "last repair",
          [
            .init("e2fsck -f -y", "exit status 1"), .init("e2fsck 1", "Pass 1"),
            .init("e2fsck 2", "Free blocks count wrong: fixed"),
          ]),
      ])
    #expect(reply.outcome == .failure)
  }

  @Test(arguments: [
    (false, "format\n", "refused healthy It is in use.\n", "data-healthy"),
    (true, "format force\n", "progress stop one\nprogress make two\ndone empty Well.\n", nil),
    (false, "format\n", "failed mke2fs Not well.\n", "data-mke2fs"),
    (false, "format\n", "refused Ä&! Not well.\n", "failed"),
    (false, "format\n", "", "data-silent"),
    (false, "format\n", String(repeating: "x", count: 100_000), "data-silent"),
  ])
  func format_sendsTheRequest_andReportsTheResult(
    _ isForced: Bool, _ request: String, _ answer: String, _ code: String?
  ) throws {
    let listener = try #require(UnixSocket.bound(to: folder.path("format")))
    defer { close(listener) }
    #expect(listen(listener, 1) == 0)
    var steps: [String] = []
    backend.onEvent = { if case .notice(let message) = $0 { steps.append(message.text) } }
    var isServed = false
    let reply = try ask(.data(.format(isForced: isForced))) {
      guard !isServed else { return }
      isServed = true
      let peer = accept(listener, nil, nil)
      defer { close(peer) }
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = max(0, read(peer, &bytes, bytes.count))
      #expect(String(decoding: bytes[..<count], as: UTF8.self) == request)
      _ = send(peer, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
    }
    if case .refused(let refusal) = reply {
      #expect(refusal.code.rawValue == code)
      #expect((refusal.remedy ?? "").contains("--force") == (code == "data-healthy"))
    } else {
      #expect(code == nil && reply.outcome == .success)
    }
    #expect(
      steps
        == answer.split(separator: "\n").filter { $0.hasPrefix("progress") }.compactMap {
          $0.split(separator: " ").last.map(String.init)
        })
  }
}
