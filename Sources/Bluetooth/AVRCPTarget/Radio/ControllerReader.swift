internal import BluetoothRadio
internal import EventLoop
internal import Glibc

/// Asks controllers through the program `autoharp-radio`, once for each question. It is another program
/// because libbluetooth, which it is linked with, is under the GPL.
///
/// What the program prints is taken as hostile: it hears what controllers say.
///
/// Thread: the control thread. Nothing waits but for the start of the program, a few milliseconds.
final class ControllerReader: RadioAccess {
  /// The program waits two seconds for a controller.
  static let patience = Duration.seconds(4)
  /// A reading of sixteen links has less than two kilobytes.
  static let limit = 16 << 10
  /// Programs at once. One that hangs in the kernel does not end when it is killed; these are not to
  /// become many.
  static let mostPrograms = 8

  private let loop: EventLoop
  let command: [String]
  private let patience: Duration
  /// Also those that nobody waits for any more, until they are collected.
  private(set) var runs: [ProgramRun] = []

  /// - Parameters:
  ///   - command: the program's path and its first arguments; nil for `autoharp-radio` beside the file of
  ///     this process. Nothing is looked for in `PATH`.
  init(_ loop: EventLoop, command: [String]? = nil, patience: Duration = patience) {
    self.loop = loop
    self.command = command ?? [Self.programBesideThisOne]
    self.patience = patience
  }

  func read(
    _ adapter: Int, _ completion: @escaping (Result<RadioReading, RadioFailure>) -> Void
  ) -> any RadioRequest {
    let request = ControllerRequest()
    let path = command.first ?? ""
    runs.removeAll(where: \.isCollected)
    do throws(RadioFailure) {
      guard runs.count < Self.mostPrograms else {
        throw RadioFailure("\(path): earlier ones have not ended")
      }
      do throws(SystemError) {
        let run = try ProgramRun(
          loop, path: path, arguments: command.dropFirst() + ["controller", "\(adapter)"],
          limit: Self.limit, patience: patience
        ) { [patience] in completion(Self.result($0, $1, patience)) }
        runs.append(run)
        request.run = run
      } catch {
        throw RadioFailure("\(path): \(error)")
      }
    } catch {
      loop.defer { [weak request] in
        if let request, !request.isCancelled { completion(.failure(error)) }
      }
    }
    return request
  }

  private static func result(
    _ ending: ProgramRun.Ending, _ output: [UInt8], _ patience: Duration
  ) -> Result<RadioReading, RadioFailure> {
    let words: String
    switch ending {
    case .exited(0):
      do throws(MalformedReading) {
        return .success(try RadioReading(text: output))
      } catch {
        words = "autoharp-radio: \(error)"
      }
    case .exited(let status):
      words = complaint(output) ?? "autoharp-radio ended with status \(status)"
    case .killed(let signal): words = "autoharp-radio was ended by signal \(signal)"
    case .outOfTime: words = "autoharp-radio did not end within \(patience)"
    case .outOfRoom: words = "autoharp-radio printed more than \(limit) bytes"
    }
    return .failure(RadioFailure(words))
  }

  /// The line in which the program says why it failed, without the program's name; nil where there is
  /// none that can be shown.
  private static func complaint(_ output: [UInt8]) -> String? {
    guard let text = String(validating: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    else { return nil }
    let name = "autoharp-radio: "
    let line = text.hasPrefix(name) ? text.dropFirst(name.count) : text[...]
    return line.isEmpty || line.utf8.count > 200 || !isPrintable(line) ? nil : String(line)
  }

  private static var programBesideThisOne: String {
    var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &characters, characters.count)
    let path = characters.prefix(max(0, count)).map(UInt8.init(bitPattern:))
    let folder = path.prefix(through: path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)
    return String(decoding: folder, as: UTF8.self) + "autoharp-radio"
  }
}

/// One question; see ``RadioRequest``.
private final class ControllerRequest: RadioRequest {
  /// Nil where it could not be started.
  var run: ProgramRun?
  private(set) var isCancelled = false

  deinit { cancel() }

  func cancel() {
    isCancelled = true
    run?.cancel()
    run = nil
  }
}
