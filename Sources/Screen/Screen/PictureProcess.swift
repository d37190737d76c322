internal import EventLoop
internal import Glibc
internal import PictureExchange

/// Decodes pictures in the program `autoharp-cover`, one process for each picture. A picture that
/// crashes the decoder, or takes over its process, harms neither the screen nor another picture.
///
/// All functions block.
struct PictureProcess: Sendable {
  /// Time limit for one picture.
  static let timeout = Duration.seconds(20)

  /// The path of the program.
  let path: String
  private let timeout: Duration

  /// - Parameter path: the program. If nil, the program is `autoharp-cover` in the folder of the
  ///   running program. `PATH` is not searched.
  init(path: String? = nil, timeout: Duration = timeout) {
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
  func decode<Picture>(
    _ bytes: [UInt8], _ request: PictureRequest,
    _ make: (_ width: Int, _ height: Int, UnsafeRawBufferPointer) -> Picture?
  ) throws(PictureFailure) -> Picture {
    guard let file = PictureFile.create(holding: bytes) else { throw .unreadable }
    defer { close(file) }
    return try decode(file, request, make)
  }

  /// Decodes a picture file.
  /// - Parameters:
  ///   - file: a descriptor. It must be open for reading only, as the decoder inherits it.
  ///   - make: makes the picture from the decoded pixels, or returns nil if they cannot be used.
  func decode<Picture>(
    _ file: Int32, _ request: PictureRequest,
    _ make: (_ width: Int, _ height: Int, UnsafeRawBufferPointer) -> Picture?
  ) throws(PictureFailure) -> Picture {
    guard let result = PictureFile.create(for: request) else { throw .unreadable }
    defer { close(result) }
    let child: ChildProgram
    do throws(SystemError) {
      child = try ChildProgram(path, request.arguments, input: file, output: result)
    } catch {
      throw .notStarted(path: path, reason: "\(error)")
    }
    switch child.wait(timeout) {
    case .timedOut, .killed(SIGXCPU): throw .tookTooLong
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
    guard let picture = PictureFile.read(result, request, make) else { throw .damaged }
    return picture
  }
}
