import ALSASink
import AudioCodecs

/// The version of this program. The documents and the change log use the same number.
enum Version {
  static let number = "0.1.0"
  static var text: String { "autoharp \(number) (\(CodecLibraries.versions))" }
  /// The version of each linked part.
  static var parts: [(name: String, version: String)] {
    [("autoharp", number), ("codecs", CodecLibraries.versions), ("ALSA", ALSAOutputs.version)]
  }
}
