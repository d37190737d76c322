package import EventLoop
internal import Glibc
package import PictureExchange

/// Decodes pictures in the program `autoharp-cover`, one process for each picture. A picture that crashes the decoder,
/// or takes over its process, harms neither the caller nor another picture.
///
/// All functions block.
package struct PictureProcess: Sendable {
  /// Time limit for one picture.
  package static let timeout = Duration.seconds(20)

  /// The path of the program.
  package let path: String
  private let timeout: Duration

  /// - Parameter path: the program. If nil, the program is `autoharp-cover` in the folder of the running program.
  ///   `PATH` is not searched.
  package init(path: String? = nil, timeout: Duration = timeout) {
    self.path = path ?? Self.usualPath
    self.timeout = timeout
  }

  private static var usualPath: String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.bindMemory(to: CChar.self).baseAddress!, $0.count)
    }
    let program = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard let slash = program.lastIndex(of: "/") else { return "autoharp-cover" }
    return program[...slash] + "autoharp-cover"
  }

  /// Decodes the bytes of a picture file.
  package func decode<Picture>(
    _ bytes: [UInt8], _ request: PictureRequest,
    _ make: (_ width: Int, _ height: Int, UnsafeRawBufferPointer) -> Picture?
  ) throws(PictureFailure) -> Picture {
    guard let file = PictureFile.create(holding: bytes) else { throw .unreadable }
    defer { close(file) }
    return try decode(file, request, make)
  }

  /// Decodes a picture file.
  /// - Parameters:
  ///   - file: a descriptor. It must be open for reading only, because the decoder inherits it.
  ///   - make: creates the picture from the decoded pixels. Returns nil if the pixels cannot be used.
  package func decode<Picture>(
    _ file: Int32, _ request: PictureRequest,
    _ make: (_ width: Int, _ height: Int, UnsafeRawBufferPointer) -> Picture?
  ) throws(PictureFailure) -> Picture {
    let result = try run(file, request, unless: nil)
    defer { close(result) }
    guard let picture = PictureFile.read(result, request, make) else { throw .damaged }
    return picture
  }

  /// Creates a thumbnail: the central square of a picture, as a JPEG of at most ``PictureFile/thumbnailBytes``.
  /// - Parameters:
  ///   - file: a descriptor. It must be open for reading only, or sealed, because the decoder inherits it.
  ///   - side: the greatest width and height, in pixels.
  ///   - interruption: lets another thread end the work early.
  package func thumbnail(
    _ file: Int32, side: Int, unless interruption: ChildProgram.Interruption
  ) throws(PictureFailure) -> [UInt8] {
    let request = PictureRequest(.thumbnail, side: side)
    let result = try run(file, request, unless: interruption)
    defer { close(result) }
    guard let thumbnail = PictureFile.readThumbnail(result, request) else { throw .damaged }
    return thumbnail
  }

  /// Runs the program. Returns the descriptor of the result.
  private func run(
    _ file: Int32, _ request: PictureRequest, unless interruption: ChildProgram.Interruption?
  ) throws(PictureFailure) -> Int32 {
    guard let result = PictureFile.create(for: request) else { throw .unreadable }
    do throws(PictureFailure) {
      try run(file, request, into: result, unless: interruption)
    } catch {
      close(result)
      throw error
    }
    return result
  }

  private func run(
    _ file: Int32, _ request: PictureRequest, into result: Int32,
    unless interruption: ChildProgram.Interruption?
  ) throws(PictureFailure) {
    let child: ChildProgram
    do throws(SystemError) {
      child = try ChildProgram(path, request.arguments, input: file, output: result)
    } catch {
      throw .notStarted(path: path, reason: "\(error)")
    }
    switch child.wait(timeout, unless: interruption) {
    case .timedOut, .killed(SIGXCPU): throw .tookTooLong
    case .interrupted: throw .interrupted
    case .killed(let signal): throw .crashed(signal: signal)
    case .exited(let status):
      switch PictureStatus(rawValue: status) {
      case .decoded: break
      case .unknownFormat: throw .unknownFormat
      case .tooLarge: throw .tooLarge
      case .damaged: throw .damaged
      case .noFile: throw .unreadable
      case .usage, .noSandbox, nil: throw .ended(status: status)
      }
    }
  }
}
