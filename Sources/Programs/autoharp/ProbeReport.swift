import AudioCodecs
import FileReading
import Files
internal import MusicFiles
import Text
import Threads

/// The results of `probe` for one file, and their output as text or as JSON.
struct ProbeReport {
  /// The result of decoding the whole file.
  struct Verification {
    var frames: Int64 = 0
    var audioSeconds = 0.0
    var wallSeconds = 0.0
    /// True if the MD5 in STREAMINFO equals the MD5 of the samples. Nil if the file has no MD5.
    var md5Matches: Bool?

    /// The speed of decoding as a multiple of real time.
    var timesRealTime: Int {
      wallSeconds > 0 ? Int(min(audioSeconds / wallSeconds, 1e9)) : 0
    }
  }

  let path: String
  /// True if `progress` has stopped the verification. In this case the other results are incomplete.
  private(set) var isInterrupted = false
  /// Nil if the file was refused.
  private(set) var file: AudioFile?
  private(set) var refusal: DecodeError?
  private(set) var damage: [DecodeError] = []
  /// The maximum number of damaged places that are listed. Further places are only counted.
  private static let maximumListed = 100
  private var unlisted = 0
  /// Nil if no verification was requested.
  private(set) var verification: Verification?

  /// - Parameter progress: called at the beginning and then at most ten times a second. Its argument is the verified
  ///   part of the file, 0 … 1. If it returns false, the verification stops.
  init(path: String, verify: Bool, progress: (Double) -> Bool) {
    self.path = path
    do throws(DecodeError) {
      let file = try AudioFile(
        try FileByteSource(path: path), for: verify ? .verify : .play)
      self.file = file
      for error in file.header.damage { note(error) }
      if verify { self.verify(file, progress) }
    } catch {
      refusal = error
    }
  }

  /// True if the file was refused, is damaged, or does not match its header's MD5.
  var hasProblems: Bool {
    refusal != nil || !damage.isEmpty || verification?.md5Matches == false
  }

  private mutating func verify(_ file: AudioFile, _ progress: (Double) -> Bool) {
    var result = Verification()
    let start = MonotonicClock.seconds
    var limiter = RateLimiter(from: start)
    var format = file.format
    decoding: while true {
      if limiter.isDue(at: MonotonicClock.seconds) {
        let part = file.frameCount.map { Double(result.frames) / Double(max($0, 1)) } ?? 0
        guard progress(min(part, 1)) else {
          isInterrupted = true
          return
        }
      }
      do throws(DecodeError) {
        switch try file.decoder.next() {
        case .frames(let block):
          result.frames += Int64(block.frameCount)
          result.audioSeconds += Double(block.frameCount) / Double(format.sampleRate)
        case .formatChanged(let new):
          format = new
        case .skipped(let error):
          note(error)
        case .metadataChanged, .working, .waiting:
          break
        case .end:
          break decoding
        }
      } catch {
        note(error)
        break
      }
    }
    result.md5Matches = file.checkMD5()
    result.wallSeconds = MonotonicClock.seconds - start
    verification = result
  }

  private mutating func note(_ error: DecodeError) {
    if damage.count < Self.maximumListed { damage.append(error) } else { unlisted += 1 }
  }

  // MARK: Text for people

  /// The maximum number of tags that are listed. Further tags are only counted. The JSON contains all tags.
  private static let maximumTags = 200

  /// The report as lines, without line feeds.
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

  // MARK: JSON for programs

  /// Writes one object.
  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("path", path)
    json.member("error", refusal?.description)
    if let file { write(file, to: &json) }
    json.key("damage")
    json.beginArray()
    for error in damage {
      json.beginObject()
      switch error.location {
      case .byte(let offset): json.member("byte", offset)
      case .frame(let frame): json.member("frame", frame)
      }
      json.member("reason", error.reason)
      json.endObject()
    }
    json.endArray()
    if let verification {
      json.key("verification")
      json.beginObject()
      json.member("whole", !hasProblems)
      json.member("md5Matches", verification.md5Matches)
      json.member("frames", verification.frames)
      json.member("damagedPlaces", damage.count + unlisted)
      json.member("timesRealTime", verification.timesRealTime)
      json.endObject()
    }
    json.endObject()
  }

  private func write(_ file: AudioFile, to json: inout JSONWriter) {
    let metadata = file.header.metadata
    json.member("container", file.header.container.rawValue)
    json.member("codec", file.header.codec.rawValue)
    json.member("sampleRate", file.format.sampleRate)
    if case .integer(let bits) = file.format.encoding { json.member("bitsPerSample", bits) }
    json.member("channels", file.format.channels)
    json.member("layout", file.format.layout.name)
    json.key("positions")
    json.beginArray()
    for position in file.format.layout.positions {
      json.value(file.format.layout == .mono ? "MONO" : position.alsaName)
    }
    json.endArray()
    json.member("frames", file.frameCount)
    json.member("duration", file.durationSeconds)
    json.member("links", file.linkCount)
    if let info = file.header.streamInfo { write(info, to: &json) }
    json.member("vendor", metadata.comments.vendor)
    write(metadata.comments, to: &json)
    json.member("cutTagValues", metadata.comments.cutValues)
    write(metadata.loudness, to: &json)
    json.key("pictures")
    json.beginArray()
    for picture in metadata.pictures {
      json.beginObject()
      json.member("type", picture.type)
      json.member("typeName", picture.typeName)
      json.member("mimeType", picture.mimeType)
      json.member("bytes", picture.byteCount)
      json.member("width", picture.width)
      json.member("height", picture.height)
      json.member("description", picture.description)
      json.endObject()
    }
    json.endArray()
  }

  private func write(_ info: FLACStreamInfo, to json: inout JSONWriter) {
    json.key("streamInfo")
    json.beginObject()
    json.member("minimumBlockSize", info.minimumBlockSize)
    json.member("maximumBlockSize", info.maximumBlockSize)
    json.member("sampleRate", info.sampleRate)
    json.member("channels", info.channels)
    json.member("bitsPerSample", info.bitsPerSample)
    json.member("totalFrames", info.totalFrames)
    json.member("md5", info.hasMD5 ? FormatText.hexadecimal(info.md5) : nil)
    json.endObject()
  }

  /// Writes one member for each name of a tag. The member contains all values of this name, in their order.
  private func write(_ comments: VorbisComments, to json: inout JSONWriter) {
    json.key("tags")
    json.beginObject()
    var values: [String: [String]] = [:]
    var names: [String] = []
    for entry in comments.entries {
      if values[entry.name] == nil { names.append(entry.name) }
      values[entry.name, default: []].append(entry.value)
    }
    for name in names {
      json.key(name)
      json.beginArray()
      for value in values[name] ?? [] { json.value(value) }
      json.endArray()
    }
    json.endObject()
  }

  private func write(_ loudness: Loudness, to json: inout JSONWriter) {
    json.key("replayGain")
    json.beginObject()
    json.member("trackGain", loudness.trackGain)
    json.member("trackPeak", loudness.trackPeak)
    json.member("albumGain", loudness.albumGain)
    json.member("albumPeak", loudness.albumPeak)
    json.endObject()
  }
}
