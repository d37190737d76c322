import Console
import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import ConsoleLink

/// Tests the commands that the console carries out with the helpers and the files of the image.
@Suite struct MachineCommandTests {
  // MARK: Services

  /// The answer of the helper: what `systemctl show` prints.
  private static func block(
    _ name: String, _ active: String = "active", _ sub: String = "running", _ more: String...
  ) -> String {
    (["Id=\(name)", "LoadState=loaded", "ActiveState=\(active)", "SubState=\(sub)"] + more)
      .joined(separator: "\n") + "\n\n"
  }

  private static let list =
    block("autoharp.service") + block("dbus.service") + block("dbus.socket", "active", "running")
    + block("autoharp-library.service", "active", "running", "NRestarts=3", "Result=success")
    + block(
      "bluetooth.service", "failed", "failed", "Result=exit-code", "ExecMainStatus=203",
      "StateChangeTimestampMonotonic=1000000")
    + block(
      "autoharp-screen.service", "activating", "auto-restart", "NRestarts=1", "Result=core-dump",
      "ExecMainStatus=11")
    + block("systemd-udevd.service")
    + block("system-autoharp\\x2dconsole.slice", "active", "active")
    + block("service-control@11-151-801.service", "activating", "start")
    + block("free-space@1-2-3.service", "failed", "failed", "Result=exit-code", "ExecMainStatus=1")
    + block("stick@sda1.service", "active", "exited")
    + block("stick@sdb1.service", "inactive", "dead")
    + "Id=missing.service\nLoadState=not-found\nActiveState=inactive\n\n"

  private func services(
    _ bench: MachineBench, list: String = list, _ result: String = "done restarted It runs again.\n"
  ) throws -> FakeHelper {
    try FakeHelper(bench.folder.path("service")) { $0 == "list" ? list : result }
  }

  @Test func services_areListed_failedOnesFirst() throws {
    let bench = try MachineBench()
    let helper = try services(bench)
    let reply = try bench.ask("service")
    #expect(reply.outcome == .failure)
    guard case .services(let services) = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(
      services.map(\.shortName) == [
        "screen", "bluetooth", "free-space@1-2-3", "library", "autoharp", "dbus", "dbus.socket",
        "stick@sda1", "udevd", "stick@sdb1",
      ], "a helper is shown only if it has failed")
    #expect(services[..<3].allSatisfy { $0.grade == .bad } && services[3].grade == .note)
    #expect(services[3].restarts == 3 && services[1].age != nil && services[4].age == nil)
    #expect(services[0].state.contains("SIGSEGV") && services[9].grade == .plain)
    for line in reply.lines(ReplyStyle(columns: 80)) { #expect(line.count <= 80) }
    #expect(helper.requests == ["list"])
  }

  @Test func services_thatCannotBeListed_areRefusedWithTheReason() throws {
    let bench = try MachineBench()
    let helper = try services(bench, list: "failed timeout systemd does not answer.\n")
    for line in ["service", "service dbus", "service log dbus", "service restart dbus"] {
      #expect(try bench.ask(line).code == "service-timeout")
    }
    withExtendedLifetime(helper) {}
  }

  @Test func services_thatAllRun_areASuccess() throws {
    let bench = try MachineBench()
    let helper = try services(bench, list: Self.block("dbus.service"))
    #expect(try bench.ask("service").outcome == .success)
    withExtendedLifetime(helper) {}
  }

  @Test(arguments: [
    ("daemon", "autoharp.service"), ("autoharp", "autoharp.service"),
    ("autoharp.service", "autoharp.service"), ("udevd", "systemd-udevd.service"),
    ("LIB", "autoharp-library.service"), ("dbus", "dbus.service"), ("dbus.socket", "dbus.socket"),
    ("stick@sdb1", "stick@sdb1.service"),
  ])
  func restart_takesShortAndFullNames(_ word: String, _ unit: String) throws {
    let bench = try MachineBench()
    let helper = try services(bench)
    #expect(try bench.ask("service restart \(word)").code == "service-restarted")
    #expect(helper.requests == ["list", "restart \(unit)"])
  }

  @Test(arguments: ["stick", "nothing", "missing"])
  func restart_ofAnUnclearName_isRefused(_ word: String) throws {
    let bench = try MachineBench()
    let helper = try services(bench)
    let reply = try bench.ask("service restart \(word)")
    #expect(reply.code == "no-such-service" && reply.remedy != nil)
    #expect(helper.requests == ["list"])
  }

  @Test(arguments: [
    ("refused not-allowed dbus may not be restarted\n", "service-not-allowed"),
    ("failed job The service did not start.\n", "service-job"), ("", "helper-silent"),
    ("nonsense\n", "helper-silent"), ("refused\n", "failed"),
  ])
  func restart_thatTheHelperRefuses_isRefusedWithItsReason(_ answer: String, _ code: String) throws
  {
    let bench = try MachineBench()
    let helper = try services(bench, answer)
    #expect(try bench.ask("service restart dbus").code == code)
    withExtendedLifetime(helper) {}
  }

  @Test func serviceLog_readsTheLinesOfTheService() throws {
    let folder = try TemporaryFolder()
    let bench = try MachineBench(
      folder,
      journal:
        "printf '%s\\n' \"$@\" > \(folder.path("arguments")); printf 'MESSAGE=one\\n\\n'")
    let helper = try services(bench)
    #expect(try bench.ask("service log screen").log?.lines.map(\.text) == ["[0.000] one"])
    let arguments = try String(contentsOfFile: folder.path("arguments"), encoding: .utf8)
    #expect(arguments.contains("_SYSTEMD_UNIT=autoharp-screen.service\n"))
    #expect(arguments.contains("UNIT=autoharp-screen.service\n"))
    withExtendedLifetime(helper) {}
  }

  @Test func serviceWithAName_isShownWithItsLines() throws {
    let bench = try MachineBench(journal: "printf 'MESSAGE=one\\n\\n'")
    let helper = try services(bench)
    let reply = try bench.ask("service bluetooth")
    #expect(reply.outcome == .failure)
    let lines = reply.lines(ReplyStyle(columns: 80, hasUnicode: false))
    #expect(lines[0].hasPrefix("NO bluetooth  failed: "))
    #expect(lines.suffix(3).dropLast() == ["[0.000] one", "1 line."])
    #expect(try bench.ask("service dbus").outcome == .success)
    #expect(try bench.ask("service nothing").code == "no-such-service")
    withExtendedLifetime(helper) {}
  }

  @Test func serviceWithAName_isShownWithoutAJournal() throws {
    let bench = try MachineBench(journal: "echo 'No journal files were opened.' >&2; exit 1")
    let helper = try services(bench)
    guard case .service(let service, let log) = try bench.ask("service bluetooth") else {
      Issue.record("no service")
      return
    }
    #expect(service.grade == .bad && log.count(.error) == 1 && !log.isComplete)
    withExtendedLifetime(helper) {}
  }

  @Test func machineWithoutAnImage_isNamed() throws {
    let bench = try MachineBench(isOfImage: false)
    for line in ["service", "service restart dbus", "service log dbus", "storage free"] {
      #expect(try bench.ask(line).code == "no-image", "\(line)")
    }
  }

  /// What a broken or hostile helper answers.
  @Test(arguments: [
    "=\n\n=x\n", "Id=\n\n", "Id=x", "\n\n\n", "\u{FFFD}",
    String(repeating: "Id=x\n\n", count: 30_000),
    "Id=\u{1B}[2J\nNRestarts=99999999999999999999\nStateChangeTimestampMonotonic=-1\n\n",
    "Id=x\nNRestarts=-5\nActiveState=\(String(repeating: "y", count: 5000))\n\n",
  ])
  func foreignList_isShownWithoutHarm(_ list: String) throws {
    let bench = try MachineBench()
    let helper = try services(bench, list: list)
    let reply = try bench.ask("service")
    guard case .services(let services) = reply else { return }
    #expect(services.count <= 200)
    for line in reply.lines(ReplyStyle(columns: 80)) {
      #expect(line.count <= 80 && !line.contains("\u{1B}"))
    }
    withExtendedLifetime(helper) {}
  }

  @Test func names_ofServicesAndSticks_completeWithoutTheDaemon() throws {
    let bench = try MachineBench()
    let helper = try services(bench)
    #expect(try bench.names(.services, "s") == ["screen", "stick@sda1", "stick@sdb1"])
    try mount(bench)
    #expect(try bench.names(.sticks) == ["sda1", "sdb1"])
    #expect(try bench.names(.allSettings, "phone-w") == ["phone-wait"])
    withExtendedLifetime(helper) {}
    #expect(try MachineBench().names(.services) == [])
  }

  // MARK: Sticks

  /// Mounts two sticks, whose folders are in the folder of the test.
  private func mount(_ bench: MachineBench) throws {
    for name in ["sda1", "MY STICK"] { mkdir(bench.folder.path("media/\(name)"), 0o755) }
    let media = bench.folder.path("media")
    try bench.write(
      "mountinfo",
      """
      20 1 8:2 / / rw - ext4 /dev/mmcblk0p2 rw
      21 1 0:5 / \(media) rw - tmpfs tmpfs rw
      22 1 8:1 / \(media)/sda1 ro shared:1 - vfat /dev/sda1 ro
      23 1 8:17 / \(media)/MY\\040STICK ro - exfat /dev/sdb1 ro
      24 1 8:17 / \(media)
      25 1 8:17 / /elsewhere ro - vfat /dev/sdc1 ro

      """)
  }

  @Test func stickTest_readsTheFiles_andMeasuresThem() throws {
    let bench = try MachineBench()
    try mount(bench)
    let file = [UInt8](repeating: 7, count: 300_001)
    mkdir(bench.folder.path("media/MY STICK/Album"), 0o755)
    try bench.folder.write("media/MY STICK/Album/a.flac", file)
    try bench.folder.write("media/MY STICK/b.mp3", Array(file.dropLast()))
    try bench.folder.write("media/MY STICK/empty", [])
    symlink("/dev/zero", bench.folder.path("media/MY STICK/link"))
    for name in ["sdb1", "/dev/sdb1", "my stick", bench.folder.path("media/MY STICK")] {
      let reply = try bench.ask("storage test '\(name)'")
      guard case .facts(let facts) = reply else {
        Issue.record("\(name): \(reply)")
        continue
      }
      let values = facts.sections[0].facts
      #expect(values[0].value.contains("600 KB of 2 files"), "\(values[0].value)")
      #expect(values[1].value.contains("KB/s") && values[1].value.contains("110"))
      #expect(values.map(\.label) == ["read", "speed", "slowest read", "errors"])
      #expect(values[3].value == "0")
    }
    #expect(bench.events.count == 4, "each test says at once how long it lasts")
  }

  @Test func stickTest_ofAnEmptyStick_isAFault() throws {
    let bench = try MachineBench()
    try mount(bench)
    #expect(try bench.ask("storage test sda1").outcome == .failure)
    rmdir(bench.folder.path("media/sda1"))
    let reply = try bench.ask("storage test sda1")
    #expect(reply.outcome == .failure)
    guard case .facts(let facts) = reply else { return }
    #expect(facts.sections[0].facts.contains { $0.label == "error 1" && $0.value.hasPrefix("/") })
  }

  /// A FIFO with the name of a file would block a program that opens it.
  @Test func stickTest_passesSpecialFiles_andEndsAtItsTimeLimit() throws {
    let bench = try MachineBench { $0.stickTime = .zero }
    try mount(bench)
    mkfifo(bench.folder.path("media/sda1/fifo"), 0o600)
    try bench.folder.write("media/sda1/a", [1])
    guard case .facts(let facts) = try bench.ask("storage test sda1") else {
      Issue.record("no facts")
      return
    }
    #expect(facts.sections[0].facts[0].value.contains("0 bytes of 0 files"))
  }

  @Test func stickTest_canBeCancelled() throws {
    let bench = try MachineBench()
    try mount(bench)
    bench.backend.send(.stick(.test("sda1"))) { _ in Issue.record("answered") }
    try bench.turn { !bench.events.isEmpty }
    bench.backend.cancel()
    #expect(try bench.ask("version").code == "version")
  }

  @Test func stickReport_namesASlowStick_andAReadWithoutAnswer() {
    var results = StickReading.Results()
    results.bytes = 500_000
    results.nanoseconds = 10_000_000_000
    results.files = 1
    results.slowest = (1_500_000_000, "a")
    results.errors = [("x/b", EIO)]
    results.errorCount = 7
    results.present = ("c", 1_000_000_000)
    let facts = StickTest.report(results, "sda1", at: 6_000_000_000).sections[0].facts
    #expect(
      facts.filter { $0.grade == .bad }.map(\.label) == [
        "speed", "slowest read", "no answer", "errors", "error 1",
      ])
    #expect(facts[1].value.hasPrefix("50 KB/s"))
    #expect(facts.last?.value.hasPrefix("x/b: ") == true)
  }

  @Test func unknownStick_isRefused_withTheMountedOnes() throws {
    let bench = try MachineBench()
    #expect(try bench.ask("storage test sda1").code == "no-such-stick")
    try mount(bench)
    for line in ["storage test sdz", "stick remount sdc1", "storage test ''"] {
      guard case .refused(let refusal)? = try? bench.ask(line) else { continue }
      #expect(refusal.code == .noSuchStick && refusal.remedy?.contains("sda1, sdb1") == true)
    }
  }

  @Test func remount_restartsTheServiceOfTheStick() throws {
    let bench = try MachineBench()
    try mount(bench)
    let helper = try services(bench)
    #expect(try bench.ask("stick remount MY STICK").code == "service-restarted")
    #expect(helper.requests == ["restart stick@sdb1.service"])
  }

  @Test func withoutAName_theOnlyStickIsMeant() throws {
    let bench = try MachineBench()
    let helper = try services(bench)
    for line in ["stick remount", "storage test"] {
      #expect(try bench.ask(line).code == "no-such-stick")
    }
    let media = bench.folder.path("media")
    mkdir("\(media)/sda1", 0o755)
    try bench.write("mountinfo", "22 1 8:1 / \(media)/sda1 ro - vfat /dev/sda1 ro\n")
    #expect(try bench.ask("stick remount").code == "service-restarted")
    #expect(helper.requests == ["restart stick@sda1.service"])
    guard case .facts = try bench.ask("storage test") else {
      Issue.record("no facts")
      return
    }
    try mount(bench)
    for line in ["stick remount", "storage test"] {
      let reply = try bench.ask(line)
      #expect(reply.code == "no-such-stick" && reply.remedy?.contains("sda1, sdb1") == true)
    }
    #expect(helper.requests.count == 1)
  }

  // MARK: Space

  @Test func storageFree_showsTheLargestFolderFirst_andDeletesOnlyIfToldSo() throws {
    let bench = try MachineBench()
    let helper = try FakeHelper(bench.folder.path("free-space")) { request in
      request == "usage"
        ? "folder 5000 2 /data/log\nfolder 12345678 1 /data/covers\ndone partial Not all.\n"
        : "done freed 12345678 bytes were freed: old logs.\n"
    }
    guard case .offer(let facts, .freeSpace(deletes: true)) = try bench.ask("storage free") else {
      Issue.record("no offer")
      return
    }
    #expect(facts.sections[0].facts.map(\.label) == ["/data/covers", "/data/log", "note"])
    #expect(
      facts.sections[0].facts.map(\.value) == ["12.3 MB, 1 file", "5 KB, 2 files", "Not all."])
    #expect(helper.requests == ["usage"])
    let reply = try bench.ask("storage free --yes")
    #expect(reply.code == "space-freed")
    guard case .done(let message) = reply else { return }
    #expect(message?.text == "12.3 MB were freed: old logs.")
  }

  @Test(arguments: [
    ("refused busy It is checked.\n", "space-busy"), ("", "helper-silent"),
    ("failed io The storage does not answer.\n", "space-io"),
  ])
  func storageFree_thatIsRefused_saysWhy(_ answer: String, _ code: String) throws {
    let bench = try MachineBench()
    let helper = try FakeHelper(bench.folder.path("free-space")) { _ in answer }
    #expect(try bench.ask("storage free").code == code)
    #expect(try bench.ask("storage free --yes").code == code)
    withExtendedLifetime(helper) {}
  }

  @Test func format_withoutAPartition_isRefusedBeforeTheQuestion() throws {
    let bench = try MachineBench()
    let format = ConsoleCommand.data(.format(isForced: false))
    #expect(bench.backend.obstacle(to: format) == nil)
    try bench.write("run/notice", "data.memory.no-partition There is no partition.\n")
    #expect(bench.backend.obstacle(to: format)?.code == .storage("no-partition"))
    #expect(bench.backend.obstacle(to: .data(.erase)) == nil)
    let other = try MachineBench(isOfImage: false)
    #expect(other.backend.obstacle(to: format)?.code == .noImage)
  }

  // MARK: The clock

  private func clock(
    _ line: String, zone: String = "Europe/Berlin", at now: Int = 1_796_000_000,
    refusal: Refusal? = nil
  ) throws -> (ConsoleReply, [String]) {
    let daemon = try Bench()
    let settings = daemon.unit.fakeSettings
    settings.state.settings.append(
      SettingReport(key: "time-zone", value: zone, standard: "UTC", kind: .choice([zone])))
    settings.refusal = refusal
    let bench = try MachineBench(socket: daemon.path)
    bench.backend.clock = { now }
    let reply = try bench.ask(line) { while (try? daemon.loop.step()) == true {} }
    return (reply, settings.done)
  }

  // 1796000000 is 2026-11-30 01:53:20 in Berlin.
  @Test(arguments: [
    ("14:05", 1_796_043_900), ("14:05:07", 1_796_043_907), ("2026-11-30 14:05", 1_796_043_900),
    ("2026-11-30T14:05", 1_796_043_900), ("2027-07-01 00:00", 1_814_392_800),
    ("0:00", 1_795_993_200),
    // Summer time ends: the earlier of the two times is used.
    ("2026-10-25 02:30", 1_792_888_200), ("2028-02-29 12:00", 1_835_434_800),
  ])
  func clockSet_usesTheZoneOfTheUnit(_ text: String, _ seconds: Int) throws {
    let (reply, done) = try clock("clock set \(text)")
    #expect(reply.code == "clock-set" && done == ["time \(seconds)"])
  }

  @Test(arguments: [
    "24:00", "14:60", "14", "noon", "2026-13-01 10:00", "2026-02-30 10:00", "2027-02-29 10:00",
    "2027-03-28 02:30", "2026-11-30", "-1:00", "1:2:3:4", "9999999999999999999:00", "1 2 3",
  ])
  func clockSet_ofAnInvalidTime_isRefused(_ text: String) throws {
    let (reply, done) = try clock("clock set \(text)")
    #expect(reply.code == "invalid-time" && done == [])
  }

  @Test func clockSet_thatNobodyMayDo_saysWhy() throws {
    for code: Refusal.Code in [.timeKept, .timeNotSet, .noService] {
      #expect(try clock("clock set 14:05", refusal: Refusal(code, "no")).0.code == code.rawValue)
    }
  }

  @Test func clock_showsTheTimeAndItsKeeper() throws {
    guard case .facts(let facts) = try clock("clock").0 else {
      Issue.record("no facts")
      return
    }
    let values = facts.sections[0].facts
    #expect(values[0].value.hasPrefix("2026-11-30 01:53") && values[1].value == "Europe/Berlin")
    #expect(values[2].grade == .good)
  }

  // MARK: Settings

  @Test func configOfAKey_withoutTheDaemon_showsTheFile() throws {
    let bench = try MachineBench()
    func values(_ key: String) throws -> [String] {
      guard case .facts(let facts) = try bench.ask("config \(key)") else { return [] }
      #expect(facts.sections[0].title == key)
      return facts.sections[0].facts.map(\.value)
    }
    let wait = try values("phone-wait")
    #expect(wait.prefix(4) == ["45 s", "driver", "30 s", "a time"])
    #expect(wait.dropFirst(4).first?.contains("config set phone-wait") == true)
    let folder = try values("state-folder")
    #expect(folder.prefix(3) == ["/a (b)", "owner, /data/autoharp.conf:3", "-"])
    #expect(folder.dropFirst(4).first?.contains("only this file") == true)
    #expect(try bench.ask("config phone").code == "unknown-setting")
    #expect(try bench.ask("config phone").remedy?.contains("phone-wait") == true)
    #expect(try bench.ask("config repair").outcome == .unreachable)
  }

  @Test func configRepair_tellsTheNewName_orWhyNothingIsRepaired() throws {
    let daemon = try Bench()
    let bench = try MachineBench(socket: daemon.path)
    func ask() throws -> ConsoleReply {
      try bench.ask("config repair") { while (try? daemon.loop.step()) == true {} }
    }
    let reply = try ask()
    guard case .done(let message) = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(message?.code == "settings-repaired")
    #expect(message?.text.contains("settings.conf.wrong-1") == true)
    daemon.unit.fakeSettings.refusal = Refusal(.nothingToRepair, "well", remedy: "x")
    #expect(try ask().code == "nothing-to-repair" && ask().remedy == "x")
  }
}
