import ALSASink
import AudioCodecs

/// What this program is. docs and the change log use the same number.
enum Version {
  static let number = "0.1.0"
  static var text: String { "autoharp \(number) (\(CodecLibraries.versions))" }
  /// Of each part that is linked.
  static var parts: [(name: String, version: String)] {
    [("autoharp", number), ("codecs", CodecLibraries.versions), ("ALSA", ALSAOutputs.version)]
  }
}
