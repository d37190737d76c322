internal import CGPIO
internal import Files
internal import Glibc
internal import Threads

/// The reason why a line cannot be used.
public struct GPIOError: Error, Equatable, Sendable {
  /// The line and the reason, for people.
  public let message: String

  init(_ message: String) { self.message = message }
}

/// The device of a GPIO chip (`/dev/gpiochipN`), with version 2 of the kernel's interface (since Linux 5.10). A call
/// blocks only until the chip has answered. A requested line has its own descriptor, so the chip can be closed after
/// the request.
public final class GPIOChip {
  /// The kernel shows this name as the user of a requested line.
  static let consumer = "autoharp"

  private let file: Int32
  private let count: UInt32
  /// The name of the device without its folder.
  private let name: String

  private init(_ path: String) throws(GPIOError) {
    name = path.split(separator: "/").last.map { String($0) } ?? path
    file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw GPIOError("\(path) cannot be opened: \(systemWords(errno))") }
    var lines: UInt32 = 0
    let status = cgpio_count_lines(file, &lines)
    count = lines
    guard status == 0 else {
      let isOther = status == -ENOTTY || status == -EINVAL
      throw GPIOError(
        isOther ? "\(path) is not a GPIO chip" : "\(path) cannot be queried: \(systemWords(status))"
      )
    }
  }

  deinit { if file >= 0 { Glibc.close(file) } }

  // MARK: Requesting a line

  /// Requests a line as an output. The kernel requests the line and sets its level in one step, so the output never has
  /// the wrong level in between.
  /// - Parameter folder: the folder that contains the devices of the chips.
  /// - Returns: the descriptor of the line. The caller closes the descriptor.
  public static func output(
    _ choice: GPIOLineChoice, isActive: Bool, folder: String = "/dev"
  ) throws(GPIOError) -> Int32 {
    try request(choice.address, folder) {
      cgpio_output($0, consumer, choice.isActiveLow, isActive)
    }
  }

  /// Requests a line as an input. The descriptor becomes readable when the line has kept a new level for `settle`
  /// milliseconds. The contacts of a relay bounce for less time than the default of 50 ms. If a person flashes the
  /// headlights, each level lasts longer than 50 ms, so no level is missed.
  /// - Returns: the descriptor of the line. The caller closes the descriptor. A read from it does not block.
  public static func input(
    _ choice: GPIOLineChoice, settle: Int = 50, folder: String = "/dev"
  ) throws(GPIOError) -> Int32 {
    try request(choice.address, folder) {
      cgpio_input($0, consumer, choice.isActiveLow, choice.bias, UInt32(settle) * 1000)
    }
  }

  /// Requests two lines of one chip as inputs. The kernel reports the edges of both lines in the order in which they
  /// occurred. The edges of bouncing contacts are reported too.
  /// - Returns: the two lines. The caller closes ``GPIOPair/descriptor``.
  public static func pair(
    _ first: GPIOLineChoice, _ second: GPIOLineChoice, folder: String = "/dev"
  ) throws(GPIOError) -> GPIOPair {
    let (firstChip, a) = try find(first.address, folder)
    let (secondChip, b) = try find(second.address, folder)
    guard let device = firstChip.device, device == secondChip.device else {
      throw GPIOError(
        "\(first.address.text) and \(second.address.text) are on two chips; they must be on one")
    }
    guard a != b else { throw GPIOError("\(first.address.text) is used twice") }
    var request = cgpio_pair(
      a, cgpio_input_flags(first.isActiveLow, first.bias), b,
      cgpio_input_flags(second.isActiveLow, second.bias), consumer)
    let status = cgpio_request(firstChip.file, &request)
    guard status == 0 else {
      throw GPIOError(
        "\(first.address.text) and \(second.address.text) cannot be requested: "
          + systemWords(status))
    }
    return GPIOPair(descriptor: prepared(request), firstOffset: a)
  }

  private static func request(
    _ address: GPIOAddress, _ folder: String, _ make: (UInt32) -> gpio_v2_line_request
  ) throws(GPIOError) -> Int32 {
    let (chip, offset) = try find(address, folder)
    var request = make(offset)
    let status = cgpio_request(chip.file, &request)
    guard status == 0 else {
      let user = chip.describe(offset).map { $0.consumer } ?? ""
      let by = status == -EBUSY && !user.isEmpty ? ", used by \(user)" : ""
      throw GPIOError("\(address.text) cannot be requested: \(systemWords(status))\(by)")
    }
    return prepared(request)
  }

  private static func prepared(_ request: gpio_v2_line_request) -> Int32 {
    _ = fcntl(request.fd, F_SETFD, FD_CLOEXEC)
    _ = fcntl(request.fd, F_SETFL, O_NONBLOCK)
    return request.fd
  }

  /// Identifies the device of the chip.
  private var device: dev_t? {
    var status = stat()
    return fstat(file, &status) == 0 ? status.st_rdev : nil
  }

  // MARK: Finding a line

  /// The name of the chip, such as `gpiochip0`, and the number of the line on it. Does not request the line.
  public static func line(
    of address: GPIOAddress, folder: String = "/dev"
  ) throws(GPIOError) -> (chip: String, offset: UInt32) {
    let (chip, offset) = try find(address, folder)
    return (chip.name, offset)
  }

  private static func find(
    _ address: GPIOAddress, _ folder: String
  ) throws(GPIOError) -> (chip: GPIOChip, offset: UInt32) {
    guard let name = address.chip else { return try findAnywhere(address, folder) }
    let chip = try GPIOChip("\(folder)/\(name)")
    switch address.line {
    case .offset(let offset):
      if offset < chip.count { return (chip, offset) }
      throw GPIOError("\(name) has no line \(offset); it has \(chip.count) lines, numbered from 0")
    case .name(let line):
      if let offset = chip.offset(of: line) { return (chip, offset) }
      throw GPIOError("\(name) has no line with the name \(line)")
    }
  }

  private static func findAnywhere(
    _ address: GPIOAddress, _ folder: String
  ) throws(GPIOError) -> (chip: GPIOChip, offset: UInt32) {
    guard case .name(let line) = address.line else {
      throw GPIOError("\(address.text) needs the name of its chip")
    }
    let names = NumberedNames.all("gpiochip", in: folder)
    guard !names.isEmpty else { throw GPIOError("no GPIO chip in \(folder)") }
    var found: (chip: GPIOChip, offset: UInt32, name: String)?
    for name in names {
      // If a chip cannot be read, the search continues on the other chips.
      guard let chip = try? GPIOChip("\(folder)/\(name)"), let offset = chip.offset(of: line)
      else { continue }
      if let found {
        throw GPIOError("\(found.name) and \(name) both have a line with the name \(line)")
      }
      found = (chip, offset, name)
    }
    guard let found else {
      throw GPIOError(
        "no GPIO line has the name \(line); searched: \(names.joined(separator: ", "))")
    }
    return (found.chip, found.offset)
  }

  // MARK: Lines of a chip

  private func describe(_ offset: UInt32) -> (name: String, consumer: String)? {
    var name = [CChar](repeating: 0, count: Int(GPIO_MAX_NAME_SIZE))
    var consumer = name
    guard cgpio_describe(file, offset, &name, &consumer) == 0 else { return nil }
    return (text(name), text(consumer))
  }

  private func text(_ bytes: [CChar]) -> String {
    bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  private func offset(of name: String) -> UInt32? {
    (0..<count).first { describe($0)?.name == name }
  }
}
