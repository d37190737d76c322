internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports

extension HelperRequest {
  typealias Completion = (Result<String, Refusal>) -> Void

  /// The maximum size of an answer in bytes.
  private static let maximumBytes = SystemUnits.maximumBytes

  /// Connects and sends the request. Returns nil if this is not possible. `errno` then contains the reason.
  /// - Parameters:
  ///   - body: bytes that follow the line.
  ///   - timeLimit: the longest time until the end of the answer.
  ///   - completion: called once by the loop, with the answer. If the helper closes the connection without an answer,
  ///     or does not answer in time, the result is a refusal.
  convenience init?(
    _ loop: EventLoop, socket path: String, line: String, body: [UInt8] = [], timeLimit: Duration,
    completion: @escaping Completion
  ) {
    self.init(
      loop, socket: path, request: line + "\n", body: body, maximumBytes: Self.maximumBytes,
      timeLimit: timeLimit
    ) { bytes, _ in
      completion(
        bytes.isEmpty ? .failure(.helperSilent) : .success(String(decoding: bytes, as: UTF8.self)))
    }
  }
}

extension Refusal {
  /// A helper ended without an answer, or did not answer in time.
  static var helperSilent: Refusal {
    Refusal(.helperSilent, "The helper ended without an answer.", remedy: "'log' shows more")
  }

  /// A helper cannot be reached.
  static func unreachable(_ path: String, _ number: Int32) -> Refusal {
    number == ENOENT
      ? Refusal(.noImage, "This machine does not run the image: there is no \(path).")
      : Refusal(.helperUnreachable, "\(path): \(SystemError("connect", number))")
  }
}

/// The result of a helper: `done IDENTIFIER TEXT`, `refused IDENTIFIER TEXT` or `failed IDENTIFIER TEXT`.
struct HelperResult {
  let identifier: String
  let text: String

  /// - Parameters:
  ///   - answer: the whole answer. The last line with a result counts.
  ///   - prefix: the beginning of the codes of refusals, such as `service`.
  /// - Throws: what the helper refuses or fails to do.
  init(_ answer: String, _ prefix: String) throws(Refusal) {
    for line in answer.split(separator: "\n").reversed() {
      guard let found = HelperAnswer(line: line), found.kind != .progress else { continue }
      identifier = found.identifier
      text = found.text.isEmpty ? identifier : found.text
      if found.kind != .done {
        throw Refusal(Refusal.Code(rawValue: "\(prefix)-\(identifier)") ?? .failed, text)
      }
      return
    }
    throw .helperSilent
  }

  /// The units in an answer to `list`. An answer without units has the reason.
  static func units(_ answer: Result<String, Refusal>) -> Result<SystemUnits, Refusal> {
    answer.flatMap { text in
      let units = SystemUnits(text)
      guard units.units.isEmpty else { return .success(units) }
      do throws(Refusal) {
        _ = try HelperResult(text, "service")
        return .success(units)
      } catch {
        return .failure(error)
      }
    }
  }
}
