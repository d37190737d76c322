public import Foundation

/// A file of the project, for tests that compare with files in git.
public enum ProjectFile {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// - Parameter path: relative to the project's folder: `docs/console.md`.
  public static func url(_ path: String) -> URL { root.appendingPathComponent(path) }
}
