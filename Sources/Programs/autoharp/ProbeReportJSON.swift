import AudioCodecs
import Text

/// JSON for programs.
extension ProbeReport {
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

  /// One member per name, with all its values in order.
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
