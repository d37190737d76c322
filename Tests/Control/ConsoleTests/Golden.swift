import Foundation
import Testing

/// Text that is compared with a file in Goldens. To renew all of them, look at what has changed and
/// run the tests once with AUTOHARP_RENEW_GOLDENS=1.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Goldens")

  static func check(
    _ lines: [String], _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = lines.map { $0 + "\n" }.joined()
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["AUTOHARP_RENEW_GOLDENS"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let golden = (try? String(contentsOf: file, encoding: .utf8)) ?? "(there is none)"
    #expect(
      text == golden,
      "\(name) differs; if that is meant, run once with AUTOHARP_RENEW_GOLDENS=1",
      sourceLocation: sourceLocation)
  }
}
