import Foundation
import TestKit
import Testing

@Suite struct SourcesTests {
  /// The tested modules are part of the daemon. Another import could add Foundation, or Dispatch with its threads, to
  /// the daemon.
  @Test func sources_imports_areOnlyTheAllowedModules() throws {
    let allowed: Set = [
      "AudioCodecs", "CMalloc", "CRealtime", "FileReading", "Files", "Glibc", "Synchronization",
      "Threads",
    ]
    for module in ["Pictures/Artwork", "Audio/FileReading", "Platform/Files", "Platform/Threads"] {
      let folder = ProjectFile.url("Sources/\(module)")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        for line in text.split(separator: "\n") where line.contains("import ") {
          let words = line.split(separator: " ")
          guard let index = words.firstIndex(of: "import"), index <= 1 else { continue }
          #expect(allowed.contains(String(words[index + 1])), "\(module)/\(name): \(line)")
        }
        for word in ["async ", "await ", "Task {", "actor ", "Dispatch"] {
          #expect(!text.contains(word), "\(module)/\(name): \(word)")
        }
      }
    }
  }
}
