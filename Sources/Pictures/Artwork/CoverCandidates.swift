internal import AudioCodecs
internal import FileReading

/// Delivers the pictures that can be the cover of an album, one after the other, for a caller that stores them itself.
/// ``ArtworkLoader`` is for callers that need the path of one cover.
///
/// Blocks while it reads the medium. Between two reads, checks whether the caller still needs the picture.
package struct CoverCandidates {
  /// The result of a search.
  package enum Ending: Equatable, Sendable {
    /// The caller has used a picture.
    case used
    /// There is no further picture. A later search in the same files would have the same result.
    case exhausted
    /// The medium could not be read, or the caller has cancelled. A later search can still find a picture.
    case unread
  }

  private let limits: CoverLimits
  private let medium: [UInt8]?
  private let shouldContinue: () -> Bool

  /// - Parameters:
  ///   - medium: the folder of the medium that contains the files; nil if they are not on a medium.
  ///   - shouldContinue: called before each access to the medium.
  package init(
    limits: CoverLimits = CoverLimits(), medium: [UInt8]? = nil,
    shouldContinue: @escaping () -> Bool
  ) {
    self.limits = limits
    self.medium = medium
    self.shouldContinue = shouldContinue
  }

  /// Delivers the pictures in a music file, the front cover first, until `use` returns true.
  package func inFile(_ path: String, use: (CandidatePicture) -> Bool) -> Ending {
    guard let file = open(path) else { return .unread }
    let pictures = (try? AudioFile.header(file))?.metadata.pictures ?? []
    for index in CoverOrder.indices(of: pictures).prefix(limits.candidates) {
      let picture = pictures[index]
      // The MIME type `-->` means that the bytes are a web address.
      guard picture.mimeType != "-->", picture.byteCount <= limits.bytes else { continue }
      if let source = try? AudioFile.picture(picture, in: file) {
        let stream = PictureStream(source, in: .musicFile)
        if stream.size == picture.byteCount, offer(stream, use) { return .used }
      }
      if file.hasFailed { return .unread }
    }
    return file.hasFailed ? .unread : .exhausted
  }

  /// Delivers the picture in a picture file.
  package func inPictureFile(_ path: String, use: (CandidatePicture) -> Bool) -> Ending {
    guard let file = open(path) else { return .unread }
    guard file.size <= limits.bytes else { return .exhausted }
    if offer(PictureStream(file, in: .ownFile), use) { return .used }
    return file.hasFailed ? .unread : .exhausted
  }

  private func open(_ path: String) -> CancellableFile? {
    guard shouldContinue(),
      let file = try? FileByteSource(path: path, edge: medium.map { MediumEdge($0) })
    else { return nil }
    return CancellableFile(file, shouldContinue)
  }

  private func offer(_ stream: PictureStream, _ use: (CandidatePicture) -> Bool) -> Bool {
    guard (try? stream.header(limits: limits)) != nil else { return false }
    return use(CandidatePicture(stream))
  }
}

/// A picture whose header is valid. Its pixels are not checked.
package struct CandidatePicture {
  private let stream: PictureStream

  init(_ stream: PictureStream) { self.stream = stream }

  /// Reads the whole picture once, and passes its pieces to `accept`, each at most 256 KB. Stops if `accept` returns
  /// false.
  /// - Returns: the key of the bytes. Nil if the picture could not be read to its end.
  package func read(_ accept: (UnsafeRawBufferPointer) -> Bool) -> PictureKey? {
    var hash = SHA256()
    for start in stride(from: 0, to: stream.size, by: PictureStream.pieceBytes) {
      let count = min(PictureStream.pieceBytes, stream.size - start)
      guard let piece = try? stream.piece(at: start, count: count), accept(piece) else {
        return nil
      }
      hash.add(piece)
    }
    return PictureKey(hash)
  }
}
