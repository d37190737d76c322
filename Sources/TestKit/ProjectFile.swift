public import Foundation

/// A file of the project, for tests that compare with what is in git.
public enum ProjectFile {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// - Parameter path: below the project's folder: `docs/console.md`.
  public static func url(_ path: String) -> URL { root.appendingPathComponent(path) }
}
