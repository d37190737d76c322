internal import BluetoothController
internal import EventLoop
internal import Glibc

/// Reads controllers through the program `autoharp-controller`, which is started once for each reading.
/// `autoharp-controller` is a separate program because it is linked with libbluetooth, which is under the GPL.
///
/// The output of the program must be treated as hostile, because it contains data from controllers.
///
/// Thread: the control thread. Only the start of the program blocks, for a few milliseconds.
final class ControllerProgram: ControllerReader {
  /// Time limit for the program. The program itself waits at most two seconds for a controller.
  static let timeout = Duration.seconds(4)
  /// Limit for the output, in bytes. A reading of sixteen links has less than two kilobytes.
  static let limit = 16 << 10
  /// Maximum number of programs that run at the same time. A program that hangs in the kernel does not end when it is
  /// killed. Without a limit, more and more such programs could exist.
  static let programLimit = 8

  private let loop: EventLoop
  let command: [String]
  private let timeout: Duration
  /// The programs that run. Cancelled programs stay in this list until the system reports their end.
  private(set) var runs: [ProgramRun] = []

  /// - Parameters:
  ///   - command: path of the program and its first arguments. If nil, the program is `autoharp-controller` in the
  ///     folder of the running program. `PATH` is not searched.
  init(_ loop: EventLoop, command: [String]? = nil, timeout: Duration = timeout) {
    self.loop = loop
    self.command = command ?? [Self.defaultProgram]
    self.timeout = timeout
  }

  func read(
    _ adapter: Int, _ completion: @escaping (Result<ControllerReading, ControllerFailure>) -> Void
  ) -> any ControllerQuery {
    let request = ProgramQuery()
    let path = command.first ?? ""
    runs.removeAll(where: \.isCollected)
    do throws(ControllerFailure) {
      guard runs.count < Self.programLimit else {
        throw ControllerFailure.tooManyPrograms(path: path)
      }
      do throws(SystemError) {
        let run = try ProgramRun(
          loop, path: path, arguments: command.dropFirst() + ["controller", "\(adapter)"],
          limit: Self.limit, timeout: timeout
        ) { [timeout] in completion(Self.result($0, $1, timeout)) }
        runs.append(run)
        request.run = run
      } catch {
        throw ControllerFailure.notStarted(path: path, reason: "\(error)")
      }
    } catch {
      loop.defer { [weak request] in
        if let request, !request.isCancelled { completion(.failure(error)) }
      }
    }
    return request
  }

  private static func result(
    _ ending: ProgramRun.Ending, _ output: [UInt8], _ timeout: Duration
  ) -> Result<ControllerReading, ControllerFailure> {
    switch ending {
    case .ended(.exited(0)):
      do throws(MalformedReading) {
        return .success(try ControllerReading(text: output))
      } catch {
        return .failure(.malformed(error))
      }
    case .ended(.exited(let status)):
      return .failure(
        errorLine(output).map { ControllerFailure.reported($0) } ?? .exited(status: status))
    case .ended(.killed(let signal)): return .failure(.killed(signal: signal))
    case .timedOut: return .failure(.timedOut(limit: timeout))
    case .tooMuchOutput: return .failure(.tooMuchOutput(limit: limit))
    }
  }

  /// The line in which the program reports its error, without the program's name. Nil if there is no such line, or if
  /// the line cannot be shown.
  private static func errorLine(_ output: [UInt8]) -> String? {
    guard let text = String(validating: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    else { return nil }
    let name = "autoharp-controller: "
    let line = text.hasPrefix(name) ? text.dropFirst(name.count) : text[...]
    return line.isEmpty || line.utf8.count > 200 || !isPrintable(line) ? nil : String(line)
  }

  private static var defaultProgram: String {
    var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &characters, characters.count)
    let path = characters.prefix(max(0, count)).map(UInt8.init(bitPattern:))
    let folder = path.prefix(through: path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)
    return String(decoding: folder, as: UTF8.self) + "autoharp-controller"
  }
}

/// One reading. See ``ControllerQuery``.
private final class ProgramQuery: ControllerQuery {
  /// Nil if the program could not be started.
  var run: ProgramRun?
  private(set) var isCancelled = false

  deinit { cancel() }

  func cancel() {
    isCancelled = true
    run?.cancel()
    run = nil
  }
}
