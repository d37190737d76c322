internal import FileReading
internal import Glibc
public import Threads

extension ArtworkCache {
  /// A picture that another program has written into a pipe.
  public struct Received: Sendable, Equatable {
    /// The kind of the picture, determined from the bytes.
    public let kind: ImageKind
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// The path of the file in the cache that contains the bytes.
    public let path: String
  }

  /// Reads a picture from a pipe until its other end is closed, and stores the picture.
  ///
  /// The bytes go into a file without a name in the folder of the cache. So a process that ends in between leaves
  /// nothing behind, and memory holds only one piece of the picture.
  ///
  /// - Thread: any. Blocks until the other end is closed, for at most `milliseconds`, or until `cancel` is signalled.
  /// - Parameter pipe: the reading end, in non-blocking mode. The caller closes it.
  /// - Throws: the reason why there is no picture.
  public func receive(
    from pipe: Int32, limits: CoverLimits, milliseconds: Int, cancel: WakeUp
  ) throws(CoverFault) -> Received {
    let file = try unnamedFile()
    do throws(CoverFault) {
      try copy(pipe, to: file, limits: limits, milliseconds: milliseconds, cancel: cancel)
    } catch {
      close(file)
      throw error
    }
    guard let source = try? FileByteSource(descriptor: file) else {
      throw .unreadable("cannot be read again")
    }
    guard source.size > 0 else { throw .empty }
    let picture = PictureStream(source, in: .ownFile)
    let header = try picture.header(limits: limits)
    var notices: [CoverNotice] = []
    let stored = try keep(picture, header, from: nil, notices: &notices)
    guard let path = stored.path else { throw .unreadable("cannot be stored") }
    return Received(kind: header.kind, width: header.width, height: header.height, path: path)
  }

  private func copy(
    _ pipe: Int32, to file: Int32, limits: CoverLimits, milliseconds: Int, cancel: WakeUp
  ) throws(CoverFault) {
    let end = MonotonicClock.seconds + Double(milliseconds) / 1000
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { piece.deallocate() }
    var total = 0
    while true {
      let count = read(pipe, piece.baseAddress, piece.count)
      if count == 0 { return }
      if count > 0 {
        total += count
        guard total <= limits.bytes else { throw .tooManyBytes(Int64(total)) }
        guard write(file, piece.baseAddress, count) == count else {
          throw .unreadable("cannot be stored: \(systemWords(errno))")
        }
        continue
      }
      guard errno == EAGAIN || errno == EINTR else {
        throw .unreadable("cannot be received: \(systemWords(errno))")
      }
      let left = (end - MonotonicClock.seconds) * 1000
      guard left > 0 else { throw .unreadable("did not arrive in time") }
      var entries = [pipe, cancel.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&entries, 2, Int32(min(left.rounded(.up), 1e9)))
      if entries[1].revents != 0 { throw .unreadable("is not needed any more") }
    }
  }
}
