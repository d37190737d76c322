/// Gives each volume a name of its own, if several volumes have the same label. The volume that was named first keeps
/// its label. A later one has its size behind the label, such as `MUSIC 64 GB`, because the size is printed on most
/// sticks. If another volume has this name, too, a number is behind the label: `MUSIC 2`. A name stays until the daemon
/// ends, also while the stick is not plugged in.
///
/// Used on the control thread.
final class VolumeNames {
  /// For each identity, the label and the name.
  private var given: [String: (label: String, name: String)] = [:]
  /// Maximum number of volumes whose names are kept.
  private static let limit = 200

  /// The name of a volume.
  /// - Parameters:
  ///   - label: the label, or a name that was given to the volume earlier.
  ///   - size: the size of the volume as text. Nil if unknown.
  func name(of identity: String, label: String, size: String? = nil) -> String {
    if let known = given[identity], [known.label, known.name].contains(label) { return known.name }
    given[identity] = nil
    if given.count >= Self.limit { given = [:] }
    let used = Set(given.values.map { $0.name.lowercased() })
    let numbered = (2...Self.limit + 2).lazy.map { "\(label) \($0)" }
    let names = [label] + (size.map { ["\(label) \($0)"] } ?? []) + numbered
    let name = names.first { !used.contains($0.lowercased()) } ?? label
    given[identity] = (label, name)
    return name
  }
}

/// The size of a medium, as it is printed on the medium.
enum MediumSize {
  /// The size of a device such as `/dev/sda1`. Nil if unknown. The kernel has the size in memory, so this does not wait
  /// for a medium.
  static func of(_ device: String, folder: String = "/sys/class/block") -> String? {
    guard let name = device.split(separator: "/").last,
      let sectors = MachineReadings.read("\(folder)/\(name)/size", limit: 32)?
        .prefix(while: \.isNumber), let count = UInt64(sectors), count > 0
    else { return nil }
    return text(bytes: count.multipliedReportingOverflow(by: 512).partialValue)
  }

  /// - Parameter bytes: the size of the file system, which is up to a tenth smaller than the printed size.
  static func text(bytes: UInt64) -> String {
    let megabytes = bytes / 1_000_000
    if megabytes < 900 { return "\(megabytes) MB" }
    let printed = (0...8).map { UInt64(1) << $0 }.first { size in
      megabytes <= size * 1010 && megabytes >= size * 890
    }
    return "\(printed ?? (megabytes + 500) / 1000) GB"
  }

  /// The name of a stick without a label: its kind and its size. Nil if one of them is unknown.
  static func name(of device: String, folder: String = "/sys/class/block") -> String? {
    let kinds = [("/dev/sd", "USB"), ("/dev/mmcblk", "SD")]
    guard let kind = kinds.first(where: { device.hasPrefix($0.0) })?.1 else { return nil }
    return of(device, folder: folder).map { "\(kind) \($0)" }
  }
}
