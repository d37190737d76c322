/// A decoder for one link of an Ogg file. It counts frames from the start of its link.
protocol LinkDecoder: FileDecoder {
  /// The position after the last frame that was returned.
  var nextFrame: Int64 { get }
  /// The byte of the file at which the link ends, as far as this is known.
  var end: Int64 { get }
}

/// Decodes the links of an Ogg file as one stream. The links can have different codecs.
///
/// Each link has its own decoder for its part of the file. Only one decoder is open at a time, because each decoder can
/// need all of the memory that one file is permitted to use. New tags and formats are returned exactly where the next
/// link begins.
final class ChainDecoder: FileDecoder {
  private let source: any ByteSource
  private let keepsSamples: Bool
  private var links: [Link]
  private var current = 0
  /// The decoder of the current link; nil if the last attempt to open a decoder failed.
  private var decoder: (any LinkDecoder)?
  private(set) var format: StreamFormat
  private var events: [DecodeStep] = []
  private var isEnded = false
  private var didSeek = false
  /// The MD5 result of each finished link.
  private var checks: [Bool?] = []
  /// The end of the last page of the file.
  private let fileEnd: Int64
  /// True if the last page is missing and this damage is not reported yet. The damage is reported at the end of the
  /// file.
  private var endsEarly: Bool

  private struct Link {
    var ogg: OggLink
    /// Nil if the number is known only after the link is decoded. Until then it counts as 0.
    var frameCount: Int64?
    let rate: Int
    /// Number of frames before this link in the whole stream.
    var start: Int64 = 0
    /// Duration of all links before this link, in seconds.
    var startSeconds = 0.0

    var end: Int64 { start + (frameCount ?? 0) }
    var endSeconds: Double { startSeconds + Double(frameCount ?? 0) / Double(rate) }
  }

  /// - Parameter ogg: the file's links. Links that cannot be played are left out, with a notice.
  init(_ source: any ByteSource, links ogg: OggLinks, keepsSamples: Bool) throws(DecodeError) {
    self.source = source
    self.keepsSamples = keepsSamples
    endsEarly = !ogg.hasLastPage
    fileEnd = ogg.end
    links = []
    var problems: [DecodeError] = []
    // The last link is opened first, so that in the end the decoder of the first link is open.
    for link in ogg.links.reversed() {
      decoder = nil
      do throws(DecodeError) {
        let opened = try Self.open(source, link, keepsSamples: keepsSamples)
        links.append(
          Link(ogg: link, frameCount: opened.frameCount, rate: opened.format.sampleRate))
        decoder = opened
      } catch {
        problems.append(error)
      }
    }
    links.reverse()
    problems.reverse()
    guard let link = links.first else {
      throw problems.first
        ?? DecodeError(.refuseFile, at: .byte(0), "contains no sound that can be played")
    }
    let first: any LinkDecoder
    if let decoder {
      first = decoder
    } else {
      first = try Self.open(source, link.ogg, keepsSamples: keepsSamples)
    }
    decoder = first
    format = first.format
    events = problems.map { .skipped($0.withReaction(.skipPacket)) }
    setStarts(from: 1)
  }

  private static func open(_ source: any ByteSource, _ link: OggLink, keepsSamples: Bool)
    throws(DecodeError) -> any LinkDecoder
  {
    switch link.content {
    case .codec(let codec):
      return try codec.decoder(source, link: link, keepsSamples: keepsSamples)
    case .other(let name):
      throw DecodeError(
        .refuseFile, at: .byte(link.range.lowerBound), "Ogg with \(name), which cannot be played")
    }
  }

  /// Number of frames in all links; nil if the number is known only after all links are decoded.
  var frameCount: Int64? {
    links.contains { $0.frameCount == nil } ? nil : links[links.count - 1].end
  }
  /// Number of links that can be played.
  var linkCount: Int { links.count }

  func next() throws(DecodeError) -> DecodeStep {
    if let event = events.popFirst() { return event }
    guard !isEnded else { return .end }
    let start = links[current].start
    do throws(DecodeError) {
      let step = try decoder?.next() ?? .end
      switch step {
      case .frames(let block):
        return .frames(
          FrameBlock(
            samples: block.samples, frameCount: block.frameCount, position: start + block.position))
      case .formatChanged(let changed):
        format = changed
        return .formatChanged(changed)
      case .skipped(let error):
        return .skipped(error.moved(by: start))
      case .metadataChanged, .working, .waiting:
        return step
      case .end:
        return try endOfLink()
      }
    } catch {
      isEnded = true
      events = []
      throw error.moved(by: start).withReaction(.endTrack)
    }
  }

  /// Enters the next link. If `links` does not contain this link yet, finds it first. If there is no next link, ends
  /// the stream.
  private func endOfLink() throws(DecodeError) -> DecodeStep {
    let link = links[current]
    checks.append(decoder?.checkMD5() ?? nil)
    let end = decoder?.end ?? link.ogg.range.upperBound
    let played = decoder?.nextFrame ?? 0
    let endsBeforeItsRange = end < link.ogg.range.upperBound
    // The number of decoded frames is certain, so it replaces the earlier number.
    if endsBeforeItsRange || played > link.frameCount ?? 0 {
      links[current].frameCount = played
    }
    if endsBeforeItsRange {
      // The range of this link contains further links. A later link has the same serial number, so
      // ``OggBoundarySearch`` took that link, and all links before it, for parts of this link.
      links[current].ogg.range = link.ogg.range.lowerBound..<end
      try insertLinks(in: end..<link.ogg.range.upperBound)
    } else if current + 1 == links.count, end < fileEnd {
      // `OggLinks` finds a limited number of links at once, so the next links are found here.
      try insertLinks(in: end..<fileEnd)
    }
    setStarts(from: current + 1)
    if current + 1 < links.count {
      try enter(current + 1)
      announceFormat()
      events.append(.metadataChanged(metadata()))
    } else {
      isEnded = true
      if endsEarly {
        endsEarly = false
        events.append(
          .skipped(
            DecodeError(
              .skipPacket, at: .byte(end), "the last Ogg page is missing", kind: .missingLastPage)))
      }
    }
    return events.popFirst() ?? .end
  }

  /// Closes the current link. Finds the links in `range` of the file, and inserts them into `links` after the current
  /// link.
  private func insertLinks(in range: Range<Int64>) throws(DecodeError) {
    decoder = nil
    let found = try OggLinks(source, start: range.lowerBound, end: range.upperBound).links
    var inserted: [Link] = []
    for link in found {
      do throws(DecodeError) {
        let decoder = try Self.open(source, link, keepsSamples: keepsSamples)
        inserted.append(
          Link(ogg: link, frameCount: decoder.frameCount, rate: decoder.format.sampleRate))
      } catch {
        events.append(.skipped(error.withReaction(.skipPacket)))
      }
    }
    links.insert(contentsOf: inserted, at: current + 1)
  }

  /// Computes the start of each link, from `first` on.
  private func setStarts(from first: Int) {
    for index in links.indices.dropFirst(first) {
      links[index].start = links[index - 1].end
      links[index].startSeconds = links[index - 1].endSeconds
    }
  }

  private func enter(_ index: Int) throws(DecodeError) {
    decoder = nil
    decoder = try Self.open(source, links[index].ogg, keepsSamples: keepsSamples)
    current = index
  }

  private func announceFormat() {
    guard let decoder, decoder.format != format else { return }
    format = decoder.format
    events.append(.formatChanged(format))
  }

  private func metadata() -> AudioMetadata {
    let link = links[current].ogg
    let header = try? link.codec?.header(source, link: link)
    return header?.metadata ?? AudioMetadata()
  }

  /// False if the MD5 of any link is wrong, true if the MD5 of each link is right, otherwise nil.
  func checkMD5() -> Bool? {
    isEnded = true
    if checks.contains(false) { return false }
    return didSeek || checks.count < links.count || checks.contains(nil) ? nil : true
  }

  // MARK: Seeking

  func seek(to frame: Int64) throws(DecodeError) {
    let target = max(frame, 0)
    events = []
    didSeek = true
    isEnded = frameCount.map { target >= $0 } ?? false
    guard !isEnded else { return }
    let index = links.lastIndex { $0.start <= target } ?? 0
    do throws(DecodeError) {
      if index != current || decoder == nil { try enter(index) }
      try decoder?.seek(to: target - links[index].start)
    } catch {
      isEnded = true
      throw error.moved(by: links[index].start).withReaction(.endTrack)
    }
    announceFormat()
    if links.count > 1 { events.append(.metadataChanged(metadata())) }
  }

  func seconds(atFrame frame: Int64) -> Double {
    let index = links.lastIndex { $0.start <= frame } ?? 0
    let link = links[index]
    // The rate can change within a link. Only the decoder of the link knows these changes. So if this decoder is open,
    // it computes the time.
    let rest = frame - link.start
    return link.startSeconds
      + ((index == current ? decoder?.seconds(atFrame: rest) : nil)
        ?? Double(rest) / Double(link.rate))
  }

  func frame(atSeconds seconds: Double) -> Int64 {
    let index = links.lastIndex { $0.startSeconds <= seconds } ?? 0
    let link = links[index]
    let rest = seconds - link.startSeconds
    guard index == current, let decoder else {
      return clampedFrame(Double(link.start) + rest * Double(link.rate))
    }
    return link.start + min(decoder.frame(atSeconds: rest), .max - link.start)
  }
}

extension DecodeError {
  /// The same error, with `frames` added to its frame number.
  fileprivate func moved(by frames: Int64) -> DecodeError {
    guard case .frame(let frame) = location else { return self }
    return DecodeError(reaction, at: .frame(frame + frames), reason, kind: kind)
  }
}
