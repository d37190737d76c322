import Foundation
import TestKit
import Testing

// `autoharp config`.
extension CommandTests {
  @Test func config_shippedFile_isValid_andHasTheDefaults() throws {
    let shipped = ProjectFile.url("rootfs-overlay/etc/autoharp.conf").path
    let check = try run("config", "check", shipped)
    #expect(check.status == 0)
    let show = try run("config", "show", shipped)
    #expect(show.output.contains(/skip-interval = 15 s +\(default\)\n/))
    #expect(show.status == 0)
    #expect(show.errors.isEmpty)
  }

  @Test func config_wrongLines_areListed_withStatus1() throws {
    try folder.write(
      "a.conf", Array("strat = play\namplifier = gpio:\noutput = wav:\nlanguage = de\n".utf8))
    let check = try run("config", "check", "a.conf")
    let lines = check.output.split(separator: "\n")
    let begins = [
      "a.conf:1: 'strat = play': ", "a.conf:2: 'amplifier = gpio:': ",
      "a.conf:3: 'output = wav:': ",
    ]
    #expect(lines.count == begins.count, "\(check.output)")
    #expect(zip(lines, begins).allSatisfy { $0.hasPrefix($1) }, "\(check.output)")
    #expect(lines.first?.contains("'start'") == true)
    #expect(check.errors.isEmpty)
    #expect(check.status == 1)
    let show = try run("config", "show", "a.conf")
    #expect(show.output.contains(/language = de +\(owner, a.conf:4\)\n/))
    #expect(show.errors.split(separator: "\n").count == 3)
    #expect(show.status == 1)
  }

  @Test func config_missingNamedFile_isStatus1() throws {
    let result = try run("config", "check", "none.conf")
    #expect(result.output.hasPrefix("none.conf: "))
    #expect(result.status == 1)
  }

  @Test func config_fullDisk_isReported() throws {
    let result = try run(shell: "exec \"$0\" config show > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
  }
}
