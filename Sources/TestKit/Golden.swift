public import Foundation

/// Golden files: texts and pictures with which tests compare their results. `make renew-goldens` writes all golden
/// files again.
public enum Golden {
  /// True if tests write the golden files instead of comparing their results with these files.
  public static let isRenewing =
    ProcessInfo.processInfo.environment["AUTOHARP_RENEW_GOLDENS"] == "1"

  /// Returns the path of a file in the folder `Goldens` beside a test.
  public static func file(_ name: String, beside test: String = #filePath) -> URL {
    URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("Goldens")
      .appendingPathComponent(name)
  }

  /// Compares lines with a golden file beside the test.
  /// - Throws: an error with the lines that differ.
  public static func check(
    _ lines: [String], _ name: String, beside test: String = #filePath, line: Int = #line
  ) throws {
    try check(
      lines.map { $0 + "\n" }.joined(), file(name, beside: test), beside: test, line: line)
  }

  /// Compares a text with a golden file.
  /// - Throws: an error with the lines that differ.
  public static func check(
    _ text: String, _ file: URL, beside test: String = #filePath, line: Int = #line
  ) throws {
    if isRenewing { return try Data(text.utf8).write(to: file) }
    let golden = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard text != golden else { return }
    let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
    let changes = lines(text).difference(from: lines(golden)).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    throw Tools.Failure(
      description: """
        \(test):\(line): \(file.lastPathComponent) differs; 'make renew-goldens' writes it again
        \(changes.joined(separator: "\n"))
        """)
  }
}
