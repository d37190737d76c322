import Control
import EventLoop
import Foundation
import Reports
import TestKit
import Testing

/// The helpers of the image report about the storage. The real daemon shows these reports in its log and in `status`.
@Suite(.serialized) struct StorageMonitorTests {
  private let home: ServeProcess.Home

  init() throws { home = try ServeProcess.Home() }

  /// Writes the notice as the helper of the image does: into a new file, which is then renamed.
  private func writeNotice(_ text: String) throws {
    try home.folder.write("data/notice.new", Array(text.utf8))
    #expect(rename(home.folder.path("data/notice.new"), home.folder.path("data/notice")) == 0)
  }

  /// The grades of the facts about the storage. Nil if the daemon does not answer yet: its log begins before its socket
  /// exists.
  private func storage(_ command: String, _ name: String = "storage") throws -> [String: String]? {
    let run = try ConsoleProcess(home.socket, ["--json", command])
    let reply = try? JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let sections = (reply as? [String: Any])?["facts"] as? [String: [String: Any]]
    guard let facts = sections?["music and state"] else { return nil }
    return facts.filter { $0.key.hasPrefix(name) }.compactMapValues {
      ($0 as? [String: String])?["grade"]
    }
  }

  @Test func notice_isInStatusAndLog_alsoAfterAChange() throws {
    try writeNotice("data.checking It is checked.\n")
    let daemon = try ServeProcess(
      home, environment: ["AUTOHARP_STORAGE": home.folder.path("data")])
    #expect(daemon.waits(forStorage: "data.checking"))
    var seen: [String: String] = [:]
    let end = ContinuousClock.now + Hang.limit
    while seen.isEmpty, ContinuousClock.now < end { seen = try storage("status") ?? [:] }
    #expect(seen == ["storage": "bad"])
    try writeNotice("data.checked It was.\ndata.repaired It is.\n")
    #expect(daemon.waits(forStorage: "data.repaired"))
    #expect(try storage("status") == ["storage": "note", "storage 2": "note"])
    #expect(daemon.end() == 0)
  }

  /// The report of a stick that cannot be used is in `status`, until the stick is removed.
  @Test func reportOfAStick_isInStatusAndLog_whileTheStickIsPluggedIn() throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.path("sticks"), withIntermediateDirectories: true)
    let daemon = try ServeProcess(
      home, environment: ["AUTOHARP_STICKS": home.folder.path("sticks")])
    func sticks() throws -> Set<String> {
      Set(try storage("status", "stick")?.keys.map { $0 } ?? [])
    }
    while try storage("status", "stick") == nil {}
    #expect(try sticks() == [])
    for (name, text) in [
      ("sda1", "about APFS\nstick.unsupported sda1 has APFS.\n"),
      ("sdb1", "identity vfat 1234-ABCD 67108864\n"),
      ("sdc", "stick.unformatted sdc has none.\n"),
    ] {
      try home.folder.write("sticks/.\(name)", Array(text.utf8))
      #expect(
        rename(home.folder.path("sticks/.\(name)"), home.folder.path("sticks/\(name)")) == 0)
    }
    #expect(daemon.waits(forStorage: "stick.unsupported"))
    #expect(daemon.waits(forStorage: "stick.unformatted"))
    #expect(try sticks() == ["stick", "stick 2"])
    for name in ["sda1", "sdc"] {
      try FileManager.default.removeItem(atPath: home.folder.path("sticks/\(name)"))
    }
    while try sticks() != [] {}
    #expect(daemon.end() == 0)
  }

  /// The driver can already have removed the older notice, about `/data`, by a touch. So a report about a stick must
  /// not show the older notice again.
  @Test func reportOfAStick_isShownAlone_besideAnOlderNoticeAboutTheData() throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.path("sticks"), withIntermediateDirectories: true)
    try writeNotice("data.repaired It is.\n")
    let daemon = try ServeProcess(
      home,
      environment: [
        "AUTOHARP_STORAGE": home.folder.path("data"),
        "AUTOHARP_STICKS": home.folder.path("sticks"),
      ])
    #expect(daemon.waits(for: .musicFound) != nil)
    let loop = EventLoop()
    let client = ControlClient(loop, path: home.socket)
    var kinds: [UnitNotice.Kind] = []
    client.onNotice = { kinds.append($0.kind) }
    client.follow(notices: true)
    client.start()
    // A client that begins to follow the notices receives the notice about `/data`.
    try loop.turn { kinds.contains(.storageRepaired) }
    kinds.removeAll()
    for (name, text) in [
      ("sda1", "identity vfat 1234-ABCD 67108864\n"),
      ("sdb1", "about APFS\nstick.unsupported sdb1 has APFS.\n"),
    ] {
      try home.folder.write("sticks/.\(name)", Array(text.utf8))
      #expect(
        rename(home.folder.path("sticks/.\(name)"), home.folder.path("sticks/\(name)")) == 0)
    }
    try loop.turn { kinds.contains(.mediumUnsupported) }
    #expect(!kinds.contains(.storageRepaired))
    #expect(daemon.end() == 0)
  }

  /// The notice is not shown again after a start at which the driver has seen it. A run that lost its power early does
  /// not count.
  @Test func reportOfAStick_thatStaysPluggedIn_isShownAtOneStart() throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.path("sticks"), withIntermediateDirectories: true)
    let unsupported = "about APFS\nstick.unsupported sdb1 has APFS.\n"
    let unformatted = "identity - - 1024\nstick.unformatted sdc has none.\n"
    func start(_ sticks: [String: String], isCut: Bool = false) throws -> Set<UnitNotice.Kind> {
      try writeNotice("data.repaired It is.\n")
      for (name, text) in sticks { try home.folder.write("sticks/\(name)", Array(text.utf8)) }
      let daemon = try ServeProcess(
        home,
        environment: [
          "AUTOHARP_STORAGE": home.folder.path("data"),
          "AUTOHARP_STICKS": home.folder.path("sticks"),
        ])
      #expect(daemon.waits(for: .musicFound) != nil)
      let loop = EventLoop()
      let client = ControlClient(loop, path: home.socket)
      var kinds: [UnitNotice.Kind] = []
      client.onNotice = { kinds.append($0.kind) }
      client.follow(notices: true)
      client.start()
      try loop.turn { kinds.contains(.storageRepaired) }
      // The client receives notices in order. So after this notice, it has received all earlier notices.
      try writeNotice("data.checking It is checked.\n")
      try loop.turn { kinds.contains(.storageChecking) }
      #expect(daemon.end(isCut ? SIGKILL : SIGTERM) == (isCut ? SIGKILL : 0))
      return Set(kinds).intersection(UnitNotice.Kind.ofMedia)
    }
    let first = ["sdb1": "identity apfs - 67108864\n" + unsupported, "sdc": unformatted]
    let both: Set<UnitNotice.Kind> = [.mediumUnsupported, .mediumUnformatted]
    #expect(try start(first, isCut: true) == both)
    #expect(try start(first) == both)
    #expect(try start(first) == [])
    // A different stick with the same file system has a different size, so it is reported.
    let other = ["sdb1": "identity apfs - 33554432\n" + unsupported]
    #expect(try start(other) == [.mediumUnsupported])
    // A stick that does not answer can answer at the next start, so it is reported at each start.
    let silent = ["sdb1": "stick.silent sdb1 does not answer.\n"]
    #expect(try start(silent) == [.mediumSilent])
    #expect(try start(silent) == [.mediumSilent])
  }
}
