public import AudioCodecs
internal import Glibc
public import Threads

/// Writes the decoded frames to WAV files, bit for bit and as fast as possible. Used to check the decoded frames.
///
/// A WAV file has one format. If the format changes, the sink begins another file (`out.wav`, then `out-2.wav`),
/// because a conversion would change the bits. Vorbis has no bit depth of its own and is written with 16 bits.
public final class WAVSink: AudioSink, @unchecked Sendable {
  /// Number of frames in one write to the file. For CD sound this is 64 KB.
  private static let periodFrames = 16384

  private let path: String
  private let wake: WakeUp
  private var fileCount = 0
  /// The first failure. After a failure the sink stays closed, because a second attempt does not help if the disk is
  /// full, and another file would only hide the loss.
  private var failure: SinkError?
  private var descriptor: Int32 = -1
  private var layout = WAVLayout(StreamFormat(sampleRate: 1, layout: .mono, encoding: .float))
  private var dataBytes: Int64 = 0
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)

  /// - Parameter path: path of the first file; an existing file is replaced.
  public init(path: String) {
    self.path = path
    wake = WakeUp()
  }

  deinit { buffer.deallocate() }

  public var name: String { "wav:\(path)" }

  /// The engine signals this when there are frames, because this sink has no clock of its own.
  public var dataWake: WakeUp? { wake }

  /// True if both formats have the same ``WAVLayout``, because a file can have only one layout.
  public func accepts(
    _ format: StreamFormat, openedFor opened: StreamFormat, as device: DeviceFormat
  ) -> Bool {
    WAVLayout(format) == WAVLayout(opened)
  }

  /// Begins the next file.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    if let failure { throw failure }
    layout = WAVLayout(wanted)
    fileCount += 1
    let file = fileCount == 1 ? path : numbered(path, fileCount)
    descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw fail(file, errno) }
    dataBytes = 0
    let header = layout.header(dataBytes: 0)
    guard write(header) else { throw fail(file, errno) }
    let format = DeviceFormat(
      sampleRate: wanted.sampleRate, layout: wanted.layout, samples: layout.samples,
      periodFrames: Self.periodFrames, bufferFrames: Self.periodFrames)
    buffer.deallocate()
    buffer = .allocate(byteCount: Self.periodFrames * format.frameBytes, alignment: 16)
    return format
  }

  /// See ``AudioSink/run(_:)``. A file has no deadline, so this loop is not real-time code.
  public func run(_ renderer: Renderer) -> SinkExit {
    while true {
      let count = renderer.render(into: buffer, frames: Self.periodFrames, pads: false)
      if count > 0 {
        let bytes = layout.pack(buffer, frames: count)
        guard write(UnsafeRawBufferPointer(start: buffer, count: bytes)) else {
          let code = errno
          _ = fail(name, code)
          return .failed(code)
        }
        dataBytes += Int64(bytes)
      }
      renderer.handedOver(deviceDelay: 0)
      if renderer.mustLeave { return .left }
      if count == 0 { renderer.waitForFrames(wake) }
    }
  }

  /// Completes the file's header and closes the file.
  public func close(draining: Bool) {
    guard descriptor >= 0 else { return }
    if dataBytes & 1 == 1 { _ = write([0]) }
    if lseek(descriptor, 0, SEEK_SET) == 0 { _ = write(layout.header(dataBytes: dataBytes)) }
    _ = Glibc.close(descriptor)
    descriptor = -1
  }

  private func fail(_ file: String, _ code: Int32) -> SinkError {
    let error = SinkError("\(file): \(systemWords(code))")
    failure = error
    return error
  }

  private func write(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write($0) } }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(written)
    }
    return true
  }

  private func numbered(_ path: String, _ number: Int) -> String {
    path.hasSuffix(".wav") ? "\(path.dropLast(4))-\(number).wav" : "\(path)-\(number)"
  }
}
