internal import Glibc

/// The versions of the parts of the running image, as the build of the image recorded them.
///
/// The file with the versions has lines of the form `NAME VERSION`, in three paragraphs: the image, the requested
/// packages, and the dependencies of these packages. The dependencies are not read, because they are too many for a
/// screen.
struct ImageVersions: Equatable {
  struct Line: Equatable {
    var name: String
    var version: String
  }

  /// The lines about the image. Empty if this process does not run from an image.
  private(set) var image: [Line] = []
  private(set) var packages: [Line] = []

  private static let path = "/usr/share/autoharp/versions"

  /// True if this machine runs the image.
  static var isImage: Bool { access("\(KernelReadings.standardRoot)\(path)", F_OK) == 0 }

  /// The versions of this machine. Reads a small file of the read-only root.
  static var standard: ImageVersions {
    ImageVersions(MachineReadings.read(path, limit: 64 << 10) ?? "")
  }

  init(_ text: String) {
    var paragraphs: [[Line]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.isEmpty {
        paragraphs.append([])
      } else if words.count == 2 {
        paragraphs[paragraphs.count - 1].append(
          Line(name: String(words[0]), version: String(words[1])))
      }
    }
    image = paragraphs[0]
    packages = paragraphs.count > 1 ? paragraphs[1] : []
  }

  /// The version of a package. Nil if the package is not among the read lines.
  func version(of package: String) -> String? {
    packages.first { $0.name == package }?.version
  }
}
