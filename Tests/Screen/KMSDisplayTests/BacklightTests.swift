import EventLoop
import Foundation
import TestKit
import Testing

@testable import KMSDisplay

/// Tests ``Backlight`` with files of the test in place of the kernel's files below `/sys/class/backlight`. The system
/// test `test_screen_panel` uses a real backlight device of the kernel.
@Suite struct BacklightTests {
  private let folder: TemporaryFolder
  private let loop = EventLoop()

  init() throws { folder = try TemporaryFolder() }

  private func add(_ name: String, _ kind: String, maximum: Int) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: false)
    try folder.write("\(name)/type", Array("\(kind)\n".utf8))
    try folder.write("\(name)/max_brightness", Array("\(maximum)\n".utf8))
    try folder.write("\(name)/brightness", Array("7".utf8))
  }

  private func value(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path("\(name)/brightness"), encoding: .utf8)
  }

  private func backlight(_ onFailure: @escaping (String) -> Void = { Issue.record("\($0)") })
    -> Backlight
  {
    Backlight(loop, in: folder.path(""), onFailure: onFailure)
  }

  @Test(arguments: [(100, 255, 255), (50, 255, 64), (10, 255, 3), (0, 255, 1), (10, 10, 1)])
  func brightness_isASquareOfWhatAPersonSees(percent: Int, maximum: Int, value: Int) {
    #expect(Backlight.value(percent: percent, maximum: maximum) == value)
  }

  @Test func lightOfTheFirmware_isPreferred_andASwitchIsLeftAlone() throws {
    try add("a", "raw", maximum: 100)
    try add("b", "firmware", maximum: 100)
    try add("c", "platform", maximum: 100)
    try add("lamp", "firmware", maximum: 1)
    let light = backlight()
    light.find()
    light.set(100)
    #expect(try [value("a"), value("b"), value("c"), value("lamp")] == ["7", "100", "7", "7"])
  }

  @Test func lightThatComesLater_getsTheWantedBrightness() throws {
    let light = backlight()
    light.find()
    light.set(50)
    #expect(!light.isFound)
    try add("panel", "raw", maximum: 100)
    light.find()
    #expect(light.isFound)
    #expect(try value("panel") == "25")
    try FileManager.default.removeItem(atPath: folder.path("panel"))
    light.find()
    #expect(!light.isFound)
  }

  @Test func fileThatCannotBeWritten_isReported() throws {
    var failures = 0
    try add("panel", "raw", maximum: 100)
    let light = backlight { _ in failures += 1 }
    light.find()
    try FileManager.default.removeItem(atPath: folder.path("panel/brightness"))
    light.set(50)
    #expect(failures == 1)
  }
}
