/// One whole FLAC frame after the other, whatever stands between them.
///
/// libFLAC decodes; where it comes to something else, the search for the next frame is made here,
/// header by header. A header proves little: what follows must be decoded before its checksum
/// says whether it was one, and a file may be made of such headers. So a call comes back after
/// some work without a frame, and after too much work the stream is over.
final class FLACBlocks {
  /// What one call gave.
  enum Found {
    /// A frame, whose samples ``library`` has; and what stood in front of it, if that was not
    /// told yet.
    case block(LibFLAC.Block, after: DecodeError?)
    /// No frame yet; the next call searches on.
    case searching(DecodeError)
    /// No frame is left.
    case end(after: DecodeError?)
  }

  /// How long a frame may be before it counts as none: 65 536 frames of eight channels with 32
  /// bits take 2 MB when nothing is predicted.
  private static let maximumFrameBytes: Int64 = 4 << 20
  /// To start libFLAC anew takes as long as to look at so many bytes.
  private static let restartBytes: Int64 = 4096

  let input: any FLACInput
  let library: LibFLAC
  /// The header of the first frame, and where it stands.
  private(set) var first: (header: FLACFrameHeader, place: FLACPlace)?
  /// Not all was decoded in one go, so libFLAC has no MD5.
  private(set) var wasInterrupted = false
  private var search: Search?
  private var hasBegun = false

  /// Begins where the input does.
  init(_ input: any FLACInput, library: LibFLAC) {
    self.input = input
    self.library = library
    search = Search(from: input.start)
  }

  /// Goes to `place`, where a frame should be.
  func move(to place: FLACPlace) {
    search = Search(from: place)
  }

  /// The next frame.
  /// - Throws: ``DecodeError/Reaction/endTrack``: the medium failed, or the stretch without a
  ///   frame is too long.
  func next() throws(DecodeError) -> Found {
    if let search { return try goOn(search) }
    let place = input.place(unread: library.unreadBytes)
    input.allowance = Self.maximumFrameBytes
    switch library.decode() {
    case .block(let block):
      return .block(block, after: library.complaint.map { DecodeError(at: place, $0) })
    case .end:
      return .end(after: nil)
    case .cutOff:
      // A damaged frame may claim all bytes up to the end, and with them the frames behind it.
      var search = Search(behind: place, input, "a frame is damaged (it has no end)")
      search.isCutOff = true
      return try goOn(search)
    case .lost:
      if let failure = input.failure { throw failure }
      return try goOn(
        Search(behind: place, input, library.complaint ?? "no FLAC frame follows here"))
    }
  }

  private func goOn(_ earlier: Search) throws(DecodeError) -> Found {
    var search = earlier
    defer { self.search = search.isOver ? nil : search }
    var spent = DecodingCost()
    while !spent.exceeds(.perCall) {
      guard !search.spent.exceeds(.perSearch) else { throw search.givingUp }
      let result: FLACSearchResult
      do {
        result = try input.search(
          from: search.next, before: input.end, limit: DecodingCost.perCall.bytes - spent.bytes)
      } catch {
        throw DecodeError(error, .endTrack)
      }
      search.metJunk = search.metJunk || result.passedJunk
      search.next = result.place
      var cost = DecodingCost(bytes: result.cost)
      defer {
        spent += cost
        search.spent += cost
      }
      guard let header = result.header else {
        guard search.next.offset >= input.end else { continue }
        search.isOver = true
        return .end(after: search.isCutOff ? nil : search.damage)
      }
      search.next = input.place(after: result.place)
      if let block = try decode(header, at: result.place, cost: &cost) {
        first = first ?? (header, result.place)
        search.isOver = true
        return .block(block, after: search.damage)
      }
      search.metJunk = true
    }
    defer { search.wasTold = true }
    return .searching(search.damage ?? search.progress)
  }

  /// Decodes what may be a frame.
  private func decode(_ header: FLACFrameHeader, at place: FLACPlace, cost: inout DecodingCost)
    throws(DecodeError) -> LibFLAC.Block?
  {
    if hasBegun {
      wasInterrupted = true
      guard library.restart() else {
        throw DecodeError(.endTrack, at: .byte(place.offset), "no memory for a FLAC decoder")
      }
    }
    hasBegun = true
    input.move(to: place)
    let allowance = Int64(header.maximumFrameBytes)
    input.allowance = allowance
    if case .block(let block) = library.decode() { return block }
    if let failure = input.failure { throw failure }
    cost.bytes += Self.restartBytes + allowance - input.allowance
    cost.samples += header.sampleCount
    return nil
  }
}

extension FLACBlocks {
  /// A search for a frame.
  private struct Search {
    /// Where the last frame ended, so that one should have been there.
    var start: FLACPlace
    var reason = "what stands here is no FLAC frame"
    /// Where to go on.
    var next: FLACPlace
    var spent = DecodingCost()
    /// There is something that is no frame.
    var metJunk = false
    var wasTold = false
    /// The input ended within a frame. If no other follows, that is how the stream ends.
    var isCutOff = false
    var isOver = false

    init(from place: FLACPlace) {
      start = place
      next = place
    }

    /// Begins behind `place`, where no frame is, for `reason`.
    init(behind place: FLACPlace, _ input: any FLACInput, _ reason: String) {
      start = place
      next = input.place(after: place)
      self.reason = reason
      metJunk = true
    }

    /// What was found instead of a frame; nil where nothing was, or that is known.
    var damage: DecodeError? { metJunk && !wasTold ? DecodeError(at: start, reason) : nil }
    var progress: DecodeError { DecodeError(at: next, "still no FLAC frame") }
    var givingUp: DecodeError {
      DecodeError(
        .endTrack, at: .byte(start.offset),
        "from here to byte \(next.offset) there is no whole FLAC frame; not searched any further")
    }
  }
}

extension DecodeError {
  /// Something at `place` that the decoder goes on behind.
  fileprivate init(at place: FLACPlace, _ reason: String) {
    self.init(.skipPacket, at: .byte(place.offset), reason)
  }
}
