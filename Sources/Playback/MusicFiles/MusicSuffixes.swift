package import AudioCodecs

/// True if a scan reports a file that has this name and cannot be played for this reason.
package func isReportedAsMusic(_ name: [UInt8], _ kind: DecodeError.Kind) -> Bool {
  MusicSuffixes.isReported(String(decoding: name, as: UTF8.self), UnplayableFile.Cause(kind))
}

/// True if a file with this name is expected to be music.
package func isNamedAsMusic(_ name: [UInt8]) -> Bool {
  MusicSuffixes.areMusic(String(decoding: name, as: UTF8.self))
}

/// The suffixes of music files. The suffix only decides whether a file that cannot be played is reported. The content
/// decides whether a file can be played.
enum MusicSuffixes {
  private static let music = [
    ".flac", ".oga", ".ogg", ".opus", ".wav", ".wave", ".aif", ".aiff", ".aifc", ".mp3", ".mp2",
    ".mpga",
    // Formats that are recognised and not supported.
    ".m4a", ".m4b", ".m4p", ".m4r", ".aac", ".aa", ".aax", ".wma", ".ape", ".wv", ".mpc", ".mp+",
    ".dsf", ".dff", ".tta", ".tak", ".ofr", ".mka", ".ra", ".amr", ".ac3", ".dts", ".mid", ".midi",
  ]

  /// The suffix of files that contain either a film or only sound. Other suffixes of films, such as `.mkv` and `.avi`,
  /// are left out, because such a file rarely contains only sound.
  private static let mixed = [".mp4"]

  static func areMusic(_ name: String) -> Bool {
    let name = name.lowercased()
    return music.contains { name.hasSuffix($0) }
  }

  /// True if a scan reports a file that has this name and cannot be played for this cause.
  static func isReported(_ name: String, _ cause: UnplayableFile.Cause) -> Bool {
    // A link can lead to a folder with music, whatever the name of the link is.
    if cause == .link || areMusic(name) { return true }
    // A film is not music that the driver expects to hear.
    guard case .format(let format) = cause, format.isSound else { return false }
    let name = name.lowercased()
    return mixed.contains { name.hasSuffix($0) }
  }
}
