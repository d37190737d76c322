internal import Files
internal import Glibc
internal import Reports

/// The image's reports about sticks: one file for each disk or partition that is plugged in. The name of the file is
/// the kernel's device name, such as `sda1`. The program `mount-stick` writes the files to a file system in memory.
struct StickReports {
  /// Maximum number of reports that are read.
  private static let limit = 64
  /// Maximum number of bytes of a report that are read.
  private static let reportBytes = 1024

  /// The folder of the reports. Tests use another folder.
  let folder: String

  init(
    folder: String = getenv("AUTOHARP_STICKS").map { String(cString: $0) } ?? "/run/sticks"
  ) {
    self.folder = folder
  }

  /// Notices about sticks that cannot be used, in the order of the kernel's names.
  var notices: [StorageNotice] {
    names.flatMap { StorageNotice.all(in: text(of: $0)) }
  }

  /// The identity of a stick: the type of its file system, the UUID, and the size. It depends neither on the port nor
  /// on the kernel's name. Nil if there is no report about the stick, or if its file system has no UUID.
  func identity(of name: some StringProtocol) -> String? {
    let prefix = "identity "
    return text(of: name).split(separator: "\n").first { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  private func text(of name: some StringProtocol) -> String {
    MachineReadings.read("\(folder)/\(name)", limit: Self.reportBytes) ?? ""
  }

  /// While a report is being written, its name begins with a dot.
  private var names: [String] { FolderReader.names(in: folder, atMost: Self.limit) }
}
