internal import CALSA
internal import Glibc

/// The PCMs that can be played to, as ALSA's configuration describes them.
public enum ALSAOutputs {
  /// One of them.
  public struct Output: Sendable {
    /// What to pass to `--output`.
    public let name: String
    /// In ALSA's words, of several lines perhaps.
    public let description: String
  }

  /// The library's.
  public static var version: String {
    snd_asoundlib_version().map { String(cString: $0) } ?? "unknown"
  }

  /// Asks ALSA. Reads configuration files and `/proc/asound`.
  public static func list() -> [Output] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var outputs: [Output] = []
    var hint = hints
    while let entry = hint.pointee {
      hint += 1
      // No direction means both.
      guard let name = text(entry, "NAME"), text(entry, "IOID") ?? "Output" == "Output" else {
        continue
      }
      outputs.append(Output(name: name, description: text(entry, "DESC") ?? ""))
    }
    return outputs
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
