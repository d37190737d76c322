public import Foundation

/// Access to files of the project, for tests that compare results with files in git.
public enum ProjectFile {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// - Parameter path: the path of the file relative to the project's folder, such as `docs/console.md`.
  public static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// The text of a file.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: url(path), encoding: .utf8)
  }

  /// Returns the rows of all tables in a section of a Markdown page, without the header rows. A row is the list of its
  /// cells, without the spaces around the texts.
  /// - Parameter section: the heading of level 2 without `##`.
  /// - Throws: ``Tools/Failure`` if the page has no such section.
  public static func tableRows(_ path: String, section: String) throws -> [[String]] {
    let sections = try text(path).components(separatedBy: "\n## ")
    guard let found = sections.first(where: { $0.hasPrefix(section + "\n") }) else {
      throw Tools.Failure(description: "\(path) has no section '\(section)'")
    }
    var rows: [[String]] = []
    var isBelowHeader = false
    for line in found.components(separatedBy: "\n") {
      guard line.hasPrefix("|") else {
        isBelowHeader = false
        continue
      }
      if line.hasPrefix("|---") {
        isBelowHeader = true
      } else if isBelowHeader {
        // The parts before the first bar and after the last bar are empty, so they are dropped.
        rows.append(
          line.components(separatedBy: "|").dropFirst().dropLast()
            .map { $0.trimmingCharacters(in: .whitespaces) })
      }
    }
    return rows
  }
}
