internal import CALSA
internal import Glibc

/// The playback PCMs that ALSA lists, as `aplay -L` does.
public enum ALSAOutputs {
  /// One playback PCM.
  public struct Output: Sendable {
    /// The name of the PCM, as the option `--output` takes it.
    public let name: String
    /// ALSA's description of the PCM. It can have several lines.
    public let description: String
  }

  /// The version of libasound.
  public static var version: String {
    snd_asoundlib_version().map { String(cString: $0) } ?? "unknown"
  }

  /// Lists the PCMs. For this, ALSA reads its configuration files and `/proc/asound`.
  public static func list() -> [Output] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var outputs: [Output] = []
    var hint = hints
    while let entry = hint.pointee {
      hint += 1
      // A PCM without IOID supports both playback and capture.
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
