import AudioCodecs
import Text

/// Text for people.
extension ProbeReport {
  /// The maximum number of tags that are listed; further ones are only counted. JSON has all tags.
  private static let maximumTags = 200

  /// The lines, without line feeds.
  var lines: [String] {
    var lines = [TextWidth.sanitized(path)]
    func add(_ label: String, _ text: String) {
      lines.append("  \(TextWidth.padded(label, to: 12))\(TextWidth.sanitized(text))")
    }
    if let refusal { add("refused", refusal.description) }
    if let file {
      add("container", file.header.container.rawValue)
      add("codec", FormatText.source(codec: file.header.codec.rawValue, file.format))
      add(
        "channels",
        "\(file.format.channels) (\(positions(file.format)))")
      if let frames = file.frameCount { add("frames", "\(frames)") }
      add("duration", file.durationSeconds.map(duration) ?? "unknown")
      if file.linkCount > 1 { add("links", "\(file.linkCount) chained") }
      if let info = file.header.streamInfo, info.hasMD5 {
        add("MD5", FormatText.hexadecimal(info.md5))
      }
      for line in loudness(file.header.metadata.loudness) { add("ReplayGain", line) }
      for picture in file.header.metadata.pictures {
        add("picture", describe(picture))
      }
      let tags = file.header.metadata.comments.entries
      for tag in tags.prefix(Self.maximumTags) { add("tag", "\(tag.name)=\(tag.value)") }
      if tags.count > Self.maximumTags { add("tag", "and \(tags.count - Self.maximumTags) more") }
      let cut = file.header.metadata.comments.cutValues
      if cut > 0 { add("tag", "\(cut) values are too long or too many, and are cut or left out") }
    }
    for error in damage { add("damage", error.description) }
    if unlisted > 0 { add("damage", "and \(unlisted) more") }
    if let verification { add("verified", verdict(verification)) }
    return lines
  }

  private func verdict(_ verification: Verification) -> String {
    let md5 =
      switch verification.md5Matches {
      case true?: "the MD5 matches"
      case false?: "THE MD5 DIFFERS"
      case nil: "the file has no MD5"
      }
    let state = hasProblems ? "NOT whole" : "whole"
    return "\(state), \(md5), \(verification.frames) frames, "
      + "decoded at \(verification.timesRealTime) × real time"
  }

  private func duration(_ seconds: Double) -> String {
    let milliseconds = Int(min((seconds * 1000).rounded(), 1e15))
    let rest = String(milliseconds % 1000)
    let digits = String(repeating: "0", count: 3 - rest.count) + rest
    return "\(TimeText.clock(Double(milliseconds / 1000))).\(digits)"
  }

  private func positions(_ format: StreamFormat) -> String {
    format.layout == .mono
      ? "mono" : format.layout.positions.map(\.alsaName).joined(separator: " ")
  }

  private func loudness(_ loudness: Loudness) -> [String] {
    func line(_ name: String, _ gain: Double?, _ peak: Double?) -> String? {
      guard gain != nil || peak != nil else { return nil }
      let parts = [
        gain.map { TimeText.decibels($0, decimals: 2) }, peak.map { "peak \($0)" },
      ]
      return "\(name) \(parts.compactMap { $0 }.joined(separator: ", "))"
    }
    return [
      line("track", loudness.trackGain, loudness.trackPeak),
      line("album", loudness.albumGain, loudness.albumPeak),
    ].compactMap { $0 }
  }

  private func describe(_ picture: PictureReference) -> String {
    var text = "\(picture.typeName), \(picture.mimeType), "
    if picture.width > 0 { text += "\(picture.width)×\(picture.height), " }
    text += TimeText.bytes(Int64(picture.byteCount))
    return picture.description.isEmpty ? text : "\(text), \(picture.description)"
  }
}
