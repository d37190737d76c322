internal import Files
internal import NowPlaying
internal import Settings

/// The pictures of the screen's buttons, read from their files.
struct ButtonPictureFiles: Sendable {
  let pictures: [(name: String, picture: ButtonPicture)]
  /// A sentence for each picture that cannot be used.
  let problems: [String]

  /// Reads the files. Blocks while the medium of a file does not answer.
  init(_ settings: Settings) {
    var problems: [String] = []
    pictures = settings.buttonPictures.compactMap { entry in
      switch entry.source {
      case .svgPath(let path):
        return ButtonPicture(.svgPath, Array(path.utf8)).map { (entry.name, $0) }
      case .file(let path):
        guard let picture = Self.picture(path) else {
          problems.append(
            "button-picture \(entry.name): \(path) is not a PNG file of at most "
              + "\(ButtonPicture.limit >> 10) KiB")
          return nil
        }
        return (entry.name, picture)
      }
    }
    self.problems = problems
  }

  /// The picture in a PNG file. Nil if the file is not one, or is too large.
  static func picture(_ path: String) -> ButtonPicture? {
    guard let bytes = BoundedFile.read(path, atMost: ButtonPicture.limit),
      bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
    else { return nil }
    return ButtonPicture(.png, bytes)
  }
}
