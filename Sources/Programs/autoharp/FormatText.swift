import AudioCodecs
import AudioEngine
import Text

/// Creates short texts for the formats of tracks and devices.
enum FormatText {
  /// The format of a track, such as `FLAC 24/96 stereo` or `Vorbis 44.1 kHz stereo`.
  static func source(codec: String, _ format: StreamFormat) -> String {
    switch format.encoding {
    case .integer(let bits):
      let rate = TimeText.kilohertz(format.sampleRate)
      let short = rate.hasSuffix(" kHz") ? String(rate.dropLast(4)) : rate
      return "\(codec) \(bits)/\(short) \(format.layout.name)"
    case .float:
      return "\(codec) \(TimeText.kilohertz(format.sampleRate)) \(format.layout.name)"
    }
  }

  /// The format of a device, such as `S32 96 kHz`. If the layouts of device and source differ, the layout of the device
  /// is added. If the rates differ, "(resampled)" is added.
  static func device(_ device: DeviceFormat, from source: StreamFormat?) -> String {
    var text = "\(device.samples.name) \(TimeText.kilohertz(device.sampleRate))"
    if let source, source.layout != device.layout { text += " \(device.layout.name)" }
    if let source, source.sampleRate != device.sampleRate { text += " (resampled)" }
    return text
  }

  /// The formats of track and device, such as `FLAC 24/96 stereo → S32 96 kHz`.
  static func path(_ description: TrackDescription?, _ device: DeviceFormat?) -> String {
    guard let description else { return "" }
    let text = source(codec: description.codec, description.format)
    return device.map { "\(text) → \(self.device($0, from: description.format))" } ?? text
  }

  /// Lower-case hexadecimal digits. `flac` and `metaflac` print an MD5 in the same form.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
