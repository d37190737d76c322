internal import AudioCodecs
internal import FileReading
internal import Files
internal import Glibc
internal import Threads

/// Finds the cover of one music file (A1): a picture in the file or, if there is none, a picture in its folder. If the
/// cache contains the picture from the folder, the picture is not read from the medium again. A picture that cannot be
/// shown is skipped with a notice. The search then tries the next picture.
///
/// Blocks while it reads the medium. Between two reads, the search checks whether the request was replaced.
struct CoverSearch {
  let cache: ArtworkCache
  let limits: CoverLimits
  private let request: CoverRequest
  private let shouldContinue: () -> Bool
  /// Decides which files belong to the medium, so that no link leads out of it. Nil if the file is not on a medium.
  private let edge: MediumEdge?
  private var notices: [CoverNotice] = []

  /// Searches for the cover, and returns the answer. Nil if the request was replaced.
  static func answer(
    _ request: CoverRequest, cache: ArtworkCache, limits: CoverLimits,
    shouldContinue: @escaping () -> Bool
  ) -> CoverAnswer? {
    var search = CoverSearch(cache, limits, request, shouldContinue)
    let cover = search.embedded() ?? search.inFolder()
    guard shouldContinue() else { return nil }
    return CoverAnswer(request: request, cover: cover, notices: search.notices)
  }

  private init(
    _ cache: ArtworkCache, _ limits: CoverLimits, _ request: CoverRequest,
    _ shouldContinue: @escaping () -> Bool
  ) {
    self.cache = cache
    self.limits = limits
    self.request = request
    self.shouldContinue = shouldContinue
    edge = request.medium.map { MediumEdge($0) }
  }

  private mutating func notice(
    _ subject: CoverNotice.Subject, _ reason: CoverNotice.Reason, file: String? = nil
  ) {
    notices.append(CoverNotice(file: file ?? request.path, subject: subject, reason: reason))
  }

  // MARK: In the file

  private mutating func embedded() -> Cover? {
    do throws(DecodeError) {
      let file = CancellableFile(try FileByteSource(path: request.path, edge: edge), shouldContinue)
      let pictures = try AudioFile.header(file).metadata.pictures
      let order = CoverOrder.indices(of: pictures)
      for index in order.prefix(limits.candidates) {
        guard shouldContinue() else { return nil }
        if let cover = embedded(pictures[index], index, in: file) { return cover }
      }
      if order.count > limits.candidates {
        notice(.musicFile, .tooMany(limit: limits.candidates))
      }
    } catch {
      notice(.musicFile, .refused(.unreadable(error.reason)))
    }
    return nil
  }

  private mutating func embedded(
    _ picture: PictureReference, _ index: Int, in file: CancellableFile
  ) -> Cover? {
    let subject = CoverNotice.Subject.embedded(index: index, type: picture.typeName)
    guard picture.mimeType != "-->" else {  // RFC 9639, 8.8: the bytes are a URL
      notice(subject, .address)
      return nil
    }
    do throws(CoverFault) {
      guard picture.byteCount <= limits.bytes else {
        throw .tooManyBytes(Int64(picture.byteCount))
      }
      let stream: PictureStream
      do throws(DecodeError) {
        stream = PictureStream(try AudioFile.picture(picture, in: file), in: .musicFile)
      } catch {
        throw .unreadable(error.reason)
      }
      let header = try stream.header(limits: limits)
      guard stream.size == picture.byteCount else { throw stream.cutOff }
      let stored = try cache.keep(stream, header, from: nil, notices: &notices)
      check(subject, declared: picture.mimeType, header)
      return Cover(stored, origin: .embedded(type: picture.type))
    } catch {
      notice(subject, .refused(error))
      return nil
    }
  }

  private mutating func check(
    _ subject: CoverNotice.Subject, declared: String, _ header: ImageHeader, file: String? = nil
  ) {
    // An empty type and "image/" do not declare a kind of picture.
    guard !declared.isEmpty, declared != "image/", ImageKind(declared: declared) != header.kind
    else { return }
    notice(subject, .mislabelled(declared: declared, actual: header.kind), file: file)
  }

  // MARK: In the folder

  private var folder: String {
    guard let slash = request.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == request.path.startIndex ? "/" : String(request.path[..<slash])
  }

  private mutating func inFolder() -> Cover? {
    let folder = folder
    for name in images(in: folder) {
      guard shouldContinue() else { return nil }
      if let cover = image(name, in: folder) { return cover }
    }
    return nil
  }

  private mutating func images(in folder: String) -> ArraySlice<String> {
    guard let reader = FolderReader(folder) else {
      notice(.folder, .refused(.unreadable("cannot be opened: \(systemWords(errno))")))
      return []
    }
    var images = FolderImages()
    var seen = 0
    while shouldContinue(), let name = reader.next() {
      guard seen < limits.folderEntries else {
        notice(.folder, .tooMany(limit: limits.folderEntries))
        break
      }
      seen += 1
      images.add(name)
    }
    if reader.failure != 0 {
      notice(
        .folder,
        .refused(.unreadable("cannot be read to its end: \(systemWords(reader.failure))")))
    }
    return images.inOrder.prefix(limits.candidates)
  }

  private mutating func image(_ name: String, in folder: String) -> Cover? {
    let path = folder + "/" + name
    do throws(CoverFault) {
      let file: FileByteSource
      do throws(DecodeError) {
        file = try FileByteSource(path: path, edge: edge)
      } catch {
        throw .unreadable(error.reason)
      }
      guard file.size <= limits.bytes else { throw .tooManyBytes(file.size) }
      let origin = PictureOrigin(path: path, stamp: file.stamp)
      if let known = cache.picture(from: origin, limits: limits, notices: &notices) {
        check(.folderImage, declared: name, known.header, file: path)
        return Cover(known, origin: .folder(name: name))
      }
      let stream = PictureStream(CancellableFile(file, shouldContinue), in: .ownFile)
      let header = try stream.header(limits: limits)
      let stored = try cache.keep(stream, header, from: origin, notices: &notices)
      check(.folderImage, declared: name, header, file: path)
      return Cover(stored, origin: .folder(name: name))
    } catch {
      notice(.folderImage, .refused(error), file: path)
      return nil
    }
  }
}

extension Cover {
  fileprivate init(_ stored: ArtworkCache.Stored, origin: Origin) {
    self.init(
      key: stored.key, kind: stored.header.kind, width: stored.header.width,
      height: stored.header.height, path: stored.path, origin: origin)
  }
}
