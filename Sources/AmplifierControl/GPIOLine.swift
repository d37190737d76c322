public import AudioEngine
internal import CGPIO
internal import Glibc
internal import Threads

/// A GPIO line that mutes an amplifier while it is active. A line that switches an amplifier *on*
/// is one that mutes it active low.
///
/// It goes through Linux' GPIO character device (`/dev/gpiochipN`, second version, since Linux
/// 5.10). The line is requested with the first switching, as an output that has the right level from
/// its first moment, and held with the consumer's name `autoharp`; what it does when the process
/// ends is the driver's business, so a resistor on the board should mute.
///
/// What is asked of the kernel and what it refuses is tested; it was not yet tried on a real or
/// simulated line.
public final class GPIOLine: Amplifier, @unchecked Sendable {
  /// Which line.
  public struct Address: Equatable, Sendable {
    /// How a line is found.
    public enum Line: Equatable, Sendable {
      /// By its number on the chip, from 0 on.
      case offset(UInt32)
      /// By the name that the board gives it.
      case name(String)
    }

    /// `gpiochip0`; nil for whichever chip has a line of that name.
    public var chip: String?
    /// Which line of it. An offset needs a chip.
    public var line: Line

    /// Joins both.
    public init(chip: String? = nil, line: Line) {
      self.chip = chip
      self.line = line
    }
  }

  private static let consumer = "autoharp"

  private let address: Address
  private let isActiveLow: Bool
  private let folder: String
  /// Its descriptor, once it was requested.
  private var line: Int32?

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - isActiveLow: the amplifier is muted while the line is low.
  ///   - folder: where the chips' devices are.
  public init(_ address: Address, isActiveLow: Bool = false, folder: String = "/dev") {
    self.address = address
    self.isActiveLow = isActiveLow
    self.folder = folder
  }

  deinit { release() }

  /// See ``Amplifier/setMuted(_:)``. No system call here waits for anything but the chip.
  ///
  /// - Throws: where there is no such chip or line, somebody else has it, or the chip refuses.
  public func setMuted(_ muted: Bool) throws(SinkError) {
    guard let line else {
      self.line = try request(muted)
      return
    }
    let status = cgpio_set(line, muted)
    if status < 0 {
      release()
      throw SinkError("\(words) cannot be switched: \(systemWords(status))")
    }
  }

  private func release() {
    if let line { Glibc.close(line) }
    line = nil
  }

  private var words: String {
    switch (address.line, address.chip) {
    case (.offset(let offset), let chip?): "line \(offset) of \(chip)"
    case (.name(let name), let chip?): "line \(name) of \(chip)"
    case (.name(let name), nil): "GPIO line \(name)"
    case (.offset(let offset), nil): "line \(offset)"
    }
  }

  // MARK: Finding it

  private func request(_ muted: Bool) throws(SinkError) -> Int32 {
    let (chip, offset) = try find()
    defer { Glibc.close(chip.file) }
    var request = cgpio_output(offset, Self.consumer, isActiveLow, muted)
    let status = cgpio_request(chip.file, &request)
    guard status == 0 else {
      let user = chip.describe(offset).map { $0.consumer } ?? ""
      let by = status == -EBUSY && !user.isEmpty ? ", used by \(user)" : ""
      throw SinkError("\(words) cannot be had: \(systemWords(status))\(by)")
    }
    _ = fcntl(request.fd, F_SETFD, FD_CLOEXEC)
    return request.fd
  }

  /// The line's chip, which the caller closes, and its number there.
  private func find() throws(SinkError) -> (chip: Chip, offset: UInt32) {
    guard let name = address.chip else { return try findAnywhere() }
    let chip = try Chip("\(folder)/\(name)")
    switch address.line {
    case .offset(let offset):
      if offset < chip.count { return (chip, offset) }
      Glibc.close(chip.file)
      throw SinkError("\(name) has \(chip.count) lines, from 0 on, and no line \(offset)")
    case .name(let line):
      if let offset = chip.offset(of: line) { return (chip, offset) }
      Glibc.close(chip.file)
      throw SinkError("\(name) has no line called \(line)")
    }
  }

  private func findAnywhere() throws(SinkError) -> (chip: Chip, offset: UInt32) {
    guard case .name(let line) = address.line else { throw SinkError("\(words) of which chip?") }
    let names = Self.chips(in: folder)
    guard !names.isEmpty else { throw SinkError("there is no GPIO chip in \(folder)") }
    var found: (chip: Chip, offset: UInt32, name: String)?
    for name in names {
      // One that cannot be read is no reason to miss the others.
      guard let chip = try? Chip("\(folder)/\(name)") else { continue }
      guard let offset = chip.offset(of: line) else {
        Glibc.close(chip.file)
        continue
      }
      guard let first = found else {
        found = (chip, offset, name)
        continue
      }
      Glibc.close(chip.file)
      Glibc.close(first.chip.file)
      throw SinkError("both \(first.name) and \(name) have a line called \(line)")
    }
    guard let found else {
      throw SinkError("no GPIO line is called \(line), of \(names.joined(separator: ", "))")
    }
    return (found.chip, found.offset)
  }

  private static func chips(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var numbers: [Int] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("gpiochip"), let number = Int(name.dropFirst(8)) { numbers.append(number) }
    }
    return numbers.sorted().map { "gpiochip\($0)" }
  }

  /// A chip's device. Whoever makes one closes `file`.
  private struct Chip {
    let file: Int32
    let count: UInt32

    init(_ path: String) throws(SinkError) {
      file = Glibc.open(path, O_RDWR | O_CLOEXEC)
      guard file >= 0 else { throw SinkError("\(path) cannot be opened: \(systemWords(errno))") }
      var lines: UInt32 = 0
      let status = cgpio_count_lines(file, &lines)
      count = lines
      guard status == 0 else {
        Glibc.close(file)
        let isOther = status == -ENOTTY || status == -EINVAL
        throw SinkError(
          isOther
            ? "\(path) is no GPIO chip" : "\(path) cannot be asked: \(systemWords(status))")
      }
    }

    func describe(_ offset: UInt32) -> (name: String, consumer: String)? {
      var name = [CChar](repeating: 0, count: Int(GPIO_MAX_NAME_SIZE))
      var consumer = name
      guard cgpio_describe(file, offset, &name, &consumer) == 0 else { return nil }
      return (text(name), text(consumer))
    }

    private func text(_ bytes: [CChar]) -> String {
      bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    func offset(of name: String) -> UInt32? {
      (0..<count).first { describe($0)?.name == name }
    }
  }
}
