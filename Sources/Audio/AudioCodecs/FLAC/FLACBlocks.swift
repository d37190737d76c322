/// Returns the FLAC frames of a stream in order, and skips the data between them that is not a FLAC frame.
///
/// libFLAC decodes the FLAC frames. If libFLAC finds other data, this type searches for the next FLAC frame, header by
/// header. Data can look like a header by chance. Only the checksum after decoding shows whether the header belongs to
/// a FLAC frame. A file can even consist of false headers only. So the work has two limits: after
/// ``DecodingCost/perCall`` a call returns without a FLAC frame, and after ``DecodingCost/perSearch`` the stream ends.
final class FLACBlocks {
  /// The result of one call of ``next()``.
  enum Found {
    /// A FLAC frame, whose samples are in ``library``. `after` is the damage before this FLAC frame, if the damage was
    /// not reported yet.
    case block(LibFLAC.Block, after: DecodeError?)
    /// No FLAC frame was found yet. The next call continues the search.
    case searching(DecodeError)
    /// No FLAC frame is left.
    case end(after: DecodeError?)
  }

  /// A FLAC frame that is longer than this counts as damage. 65 536 uncompressed frames of eight channels with 32 bits
  /// take 2 MB.
  private static let maximumFrameBytes: Int64 = 4 << 20
  /// The cost of a restart of libFLAC: it takes as long as examining this number of bytes.
  private static let restartBytes: Int64 = 4096

  let input: any FLACInput
  let library: LibFLAC
  /// The header of the first FLAC frame, and its offset.
  private(set) var first: (header: FLACFrameHeader, offset: FLACOffset)?
  /// True if decoding was interrupted. In this case libFLAC does not compute the MD5.
  private(set) var wasInterrupted = false
  private var search: Search?
  private var hasBegun = false

  /// Creates an instance that starts at the beginning of the input.
  init(_ input: any FLACInput, library: LibFLAC) {
    self.input = input
    self.library = library
    search = Search(from: input.start)
  }

  /// Goes to `offset`, where a FLAC frame is expected.
  func move(to offset: FLACOffset) {
    search = Search(from: offset)
  }

  /// The next FLAC frame.
  /// - Throws: ``DecodeError/Reaction/endTrack`` if the medium failed, or if the part without a FLAC frame is too long.
  func next() throws(DecodeError) -> Found {
    if let search { return try continueSearch(search) }
    let offset = input.offset(unread: library.unreadBytes)
    input.allowance = Self.maximumFrameBytes
    switch library.decode() {
    case .block(let block):
      return .block(block, after: library.damageReason.map { DecodeError(at: offset, $0) })
    case .end:
      return .end(after: nil)
    case .cutOff:
      // A damaged FLAC frame can seem to extend to the end of the input. So the search begins inside this FLAC frame,
      // to find the FLAC frames that follow.
      var search = Search(behind: offset, input, "a FLAC frame is damaged (its end was not found)")
      search.isCutOff = true
      return try continueSearch(search)
    case .lost:
      if let failure = input.failure { throw failure }
      return try continueSearch(
        Search(behind: offset, input, library.damageReason ?? "no FLAC frame at this offset"))
    }
  }

  private func continueSearch(_ earlier: Search) throws(DecodeError) -> Found {
    var search = earlier
    defer { self.search = search.isOver ? nil : search }
    var spent = DecodingCost()
    while !spent.exceeds(.perCall) {
      guard !search.spent.exceeds(.perSearch) else { throw search.limitError }
      let result: FLACSearchResult
      do {
        result = try input.search(
          from: search.next, before: input.end, limit: DecodingCost.perCall.bytes - spent.bytes)
      } catch {
        throw DecodeError(error, .endTrack)
      }
      search.metJunk = search.metJunk || result.passedJunk
      search.next = result.offset
      var cost = DecodingCost(bytes: result.cost)
      defer {
        spent += cost
        search.spent += cost
      }
      guard let header = result.header else {
        guard search.next.byte >= input.end else { continue }
        search.isOver = true
        return .end(after: search.isCutOff ? nil : search.damage)
      }
      search.next = input.offset(after: result.offset)
      if let block = try decode(header, at: result.offset, cost: &cost) {
        first = first ?? (header, result.offset)
        search.isOver = true
        return .block(block, after: search.damage)
      }
      search.metJunk = true
    }
    defer { search.isReported = true }
    return .searching(search.damage ?? search.progress)
  }

  /// Decodes data that begins with a FLAC frame header. Returns nil if it is not a FLAC frame.
  private func decode(_ header: FLACFrameHeader, at offset: FLACOffset, cost: inout DecodingCost)
    throws(DecodeError) -> LibFLAC.Block?
  {
    if hasBegun {
      wasInterrupted = true
      guard library.restart() else {
        throw DecodeError(.endTrack, at: .byte(offset.byte), "no memory for a FLAC decoder")
      }
    }
    hasBegun = true
    input.move(to: offset)
    let allowance = Int64(header.maximumFrameBytes)
    input.allowance = allowance
    // After damage, libFLAC can return a later FLAC frame from the bytes that it has already read. So a block is used
    // only if no damage was reported.
    if case .block(let block) = library.decode(), library.damageReason == nil { return block }
    if let failure = input.failure { throw failure }
    cost.bytes += Self.restartBytes + allowance - input.allowance
    cost.samples += header.sampleCount
    return nil
  }
}

extension FLACBlocks {
  /// A search for a FLAC frame.
  private struct Search {
    /// The offset where a FLAC frame was expected.
    var start: FLACOffset
    var reason = "not a FLAC frame"
    /// Where the search continues.
    var next: FLACOffset
    var spent = DecodingCost()
    /// True if data was found that is not a FLAC frame.
    var metJunk = false
    var isReported = false
    /// True if the input ended within a FLAC frame. If no other FLAC frame follows, the stream ends. This damage is
    /// then not reported here, because ``FLACDecoder`` compares the number of frames with STREAMINFO.
    var isCutOff = false
    var isOver = false

    init(from offset: FLACOffset) {
      start = offset
      next = offset
    }

    /// Creates a search that begins after `offset`. `reason` says why there is no FLAC frame at `offset`.
    init(behind offset: FLACOffset, _ input: any FLACInput, _ reason: String) {
      start = offset
      next = input.offset(after: offset)
      self.reason = reason
      metJunk = true
    }

    /// Describes the data that was found instead of a FLAC frame. Nil if there was no such data, or if it was reported
    /// already.
    var damage: DecodeError? { metJunk && !isReported ? DecodeError(at: start, reason) : nil }
    var progress: DecodeError { DecodeError(at: next, "no FLAC frame found yet") }
    var limitError: DecodeError {
      DecodeError(
        .endTrack, at: .byte(start.byte),
        "no complete FLAC frame up to byte \(next.byte); the search stops")
    }
  }
}

extension DecodeError {
  /// Damage at `offset`; decoding continues after it.
  fileprivate init(at offset: FLACOffset, _ reason: String) {
    self.init(.skipPacket, at: .byte(offset.byte), reason)
  }
}
