import Foundation
import TestKit
import Testing

@testable import Settings

/// The files that are generated from the setting keys.
@Suite struct ShippedFileTests {
  private static let shipped = ProjectFile.url("rootfs-overlay/etc/autoharp.conf")
  private static let page = ProjectFile.url("docs/configuration.md")

  private let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })

  @Test func shippedFile_equalsTheGeneratedText() throws {
    try Golden.check(SettingKey.shippedFile, Self.shipped)
  }

  @Test func documentation_listsTheKeys() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let marks = ["<!-- keys -->\n", "<!-- end of keys -->\n"]
    let parts = page.components(separatedBy: marks[0])
    try #require(parts.count == 2)
    let rest = parts[1].components(separatedBy: marks[1])
    try #require(rest.count == 2)
    try Golden.check(
      parts[0] + marks[0] + "\n" + SettingKey.documentation + "\n" + marks[1] + rest[1],
      Self.page)
  }

  @Test func shippedFile_hasNoNotices() {
    let configuration = Configuration(
      [.init(name: "shipped", bytes: Array(SettingKey.shippedFile.utf8))], checks: checks)
    #expect(configuration.notices.isEmpty)
    #expect(configuration.settings == Settings())
    #expect(SettingKey.all.allSatisfy { configuration.origin(of: $0) == .standard })
  }

  /// If the `#` of each key is removed, each line is valid and sets the default.
  @Test func shippedFile_uncommented_givesTheDefaults() {
    var names: Set<String> = []
    let lines = SettingKey.shippedFile.split(separator: "\n").compactMap { line -> Substring? in
      guard line.hasPrefix("#"), !line.hasPrefix("# "), line.contains("=") else { return nil }
      names.insert(String(line.dropFirst().prefix { $0 != " " }))
      return line.dropFirst()
    }
    #expect(names == Set(SettingKey.all.map(\.name)))
    let configuration = Configuration(
      [.init(name: "shipped", bytes: Array(lines.joined(separator: "\n").utf8))], checks: checks)
    #expect(configuration.notices.map(\.description) == [])
    #expect(configuration.settings == Settings())
    #expect(SettingKey.all.allSatisfy { configuration.origin(of: $0) != .standard })
  }

  @Test func everyField_hasOneKey() {
    #expect(Mirror(reflecting: Settings()).children.count == SettingKey.all.count)
    #expect(Set(SettingKey.all.map(\.name)).count == SettingKey.all.count)
    for key in SettingKey.all {
      #expect(key.name.allSatisfy { $0.isLowercase && $0.isASCII || $0 == "-" }, "\(key.name)")
      #expect(key.about.hasSuffix("."), "\(key.name)")
    }
  }

  @Test func shippedFile_fits90Columns() {
    for line in SettingKey.shippedFile.split(separator: "\n") {
      #expect(line.count <= 90, "\(line)")
    }
  }
}
