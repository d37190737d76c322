import Foundation
import Glibc
import Synchronization
import TestKit

/// A file system whose files can be read until it fails, like a stick that loses contact: then all reads of files fail
/// with EIO, also after it was unmounted. A thread of this process answers the requests of the kernel (FUSE).
final class FailingFileSystem {
  private struct State: Sendable {
    var files: [(name: String, bytes: [UInt8])] = []
    var hasFailed = false
    var deleted: Set<String> = []
    var failures = 0
  }

  private final class Server: Sendable {
    let state: Mutex<State>
    let descriptor: Int32

    init(_ files: [(name: String, bytes: [UInt8])], _ descriptor: Int32) {
      state = Mutex(State(files: files))
      self.descriptor = descriptor
    }

    deinit { close(descriptor) }
  }

  /// The reason why this process cannot mount such a file system; nil if it can.
  static let obstacle = SilentFileSystem.obstacle

  private let server: Server
  private var path: String?

  /// Mounts the file system at a folder, which is created if it is missing.
  init(at path: String, _ files: [(name: String, bytes: [UInt8])]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let descriptor = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFault(text: "/dev/fuse: error \(errno)") }
    server = Server(files, descriptor)
    let options = "fd=\(descriptor),rootmode=40000,user_id=0,group_id=0,allow_other"
    guard mount("stick", path, "fuse", 0, options) == 0 else {
      throw SystemFault(text: "mount: error \(errno)")
    }
    self.path = path
    Thread.detachNewThread { [server] in
      while Self.answer(server) {}
    }
  }

  /// From now on, all reads of files fail.
  func fail() { server.state.withLock { $0.hasFailed = true } }

  /// Number of reads that have failed.
  var failures: Int { server.state.withLock { $0.failures } }

  /// Removes a file.
  func delete(_ name: String) { _ = server.state.withLock { $0.deleted.insert(name) } }

  /// Unmounts the file system. A file that is open stays open.
  func unmount() {
    if let path { umount2(path, Int32(MNT_DETACH)) }
    path = nil
  }

  deinit { unmount() }

  // MARK: The requests of the kernel

  /// Answers one request. Returns false after the file system was unmounted and its last file was closed.
  private static func answer(_ server: Server) -> Bool {
    var request = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(server.descriptor, &request, request.count)
    if count < 0, errno == EINTR || errno == ENOENT { return true }
    guard count >= 40 else { return false }
    func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
      request.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
    let node = number(16, UInt64.self)
    let answer: Result<[UInt8], Failure>?
    switch number(4, UInt32.self) {
    case 1:
      let name = String(decoding: request[40..<count].prefix { $0 != 0 }, as: UTF8.self)
      answer = server.state.withLock { state in
        guard let index = state.files.firstIndex(where: { $0.name == name }),
          !state.deleted.contains(name)
        else { return .failure(Failure(code: ENOENT)) }
        let node = UInt64(index + 2)
        return .success(
          bytes(node) + bytes(UInt64(0)) + bytes(UInt64(0)) + bytes(UInt64(0)) + bytes(UInt64(0))
            + attributes(node, state))
      }
    case 2, 36, 42: answer = nil
    case 3:
      answer = .success(
        bytes(UInt64(0)) + bytes(UInt64(0)) + server.state.withLock { attributes(node, $0) })
    case 14, 27:
      // The flag FOPEN_DIRECT_IO: the kernel keeps no pages of the file.
      answer = .success(bytes(UInt64(0)) + bytes(UInt32(node == 1 ? 0 : 1)) + bytes(UInt32(0)))
    case 15:
      let (offset, size) = (Int(number(48, UInt64.self)), Int(number(56, UInt32.self)))
      answer = server.state.withLock { state in
        if state.hasFailed {
          state.failures += 1
          return .failure(Failure(code: EIO))
        }
        return .success(Array(state.files[Int(node) - 2].bytes.dropFirst(offset).prefix(size)))
      }
    case 18, 25, 29: answer = .success([])
    case 26:
      var reply = bytes(UInt32(7)) + bytes(UInt32(31)) + bytes(UInt32(1 << 17))
      reply += bytes(UInt32(0)) + bytes(UInt32(0)) + bytes(UInt32(1 << 17)) + bytes(UInt32(1))
      answer = .success(reply + [UInt8](repeating: 0, count: 64 - reply.count))
    case 28:
      let offset = Int(number(48, UInt64.self))
      answer = .success(server.state.withLock { entries($0, from: offset) })
    default: answer = .failure(Failure(code: ENOSYS))
    }
    guard let answer else { return true }
    let (code, body): (Int32, [UInt8]) =
      switch answer {
      case .success(let body): (0, body)
      case .failure(let failure): (-failure.code, [])
      }
    let reply =
      bytes(UInt32(16 + body.count)) + bytes(code) + bytes(number(8, UInt64.self)) + body
    _ = write(server.descriptor, reply, reply.count)
    return true
  }

  private struct Failure: Error { var code: Int32 }
  private struct SystemFault: Error { var text: String }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  private static func attributes(_ node: UInt64, _ state: State) -> [UInt8] {
    let isRoot = node == 1
    let size = isRoot ? 0 : state.files[Int(node) - 2].bytes.count
    var result = bytes(node) + bytes(UInt64(size)) + bytes(UInt64((size + 511) / 512))
    for _ in 0..<3 { result += bytes(UInt64(1_700_000_000)) }
    for _ in 0..<3 { result += bytes(UInt32(0)) }
    result += bytes(UInt32(isRoot ? 0o40755 : 0o100644)) + bytes(UInt32(1))
    return result + [UInt8](repeating: 0, count: 88 - result.count)
  }

  private static func entries(_ state: State, from offset: Int) -> [UInt8] {
    var result: [UInt8] = []
    for (index, file) in state.files.enumerated().dropFirst(offset)
    where !state.deleted.contains(file.name) {
      let name = Array(file.name.utf8)
      let entry =
        bytes(UInt64(index + 2)) + bytes(UInt64(index + 1)) + bytes(UInt32(name.count))
        + bytes(UInt32(8)) + name
      let padded = entry + [UInt8](repeating: 0, count: (8 - entry.count % 8) % 8)
      guard result.count + padded.count <= 4096 else { break }
      result += padded
    }
    return result
  }
}
