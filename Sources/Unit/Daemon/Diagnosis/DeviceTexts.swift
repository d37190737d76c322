internal import EventLoop
internal import Files

/// Texts that the kernel reads from devices, or for which it waits for the lock of a device. For example, the kernel
/// holds the lock of a hub while it tries to identify a broken stick, which lasts half a minute. So these texts are
/// read on other threads.
struct DeviceTexts: Sendable {
  /// The devices that are read one by one.
  enum Part: CaseIterable, Sendable {
    /// The manufacturer and the product of each device at USB. The keys are the kernel's names: `1-1`.
    case usb
    /// The first mode of each connector. The keys are the kernel's names: `card0-HDMI-A-1`.
    case displays
    /// The time of the clock chip, in seconds since 1970. The key is `rtc0`.
    case clockChip

    var text: String {
      switch self {
      case .usb: "a device at USB"
      case .displays: "a display"
      case .clockChip: "the clock chip"
      }
    }
  }

  /// Reads one text after the other. Blocks while a device does not answer.
  static func read(_ part: Part, root: String) -> [String: String] {
    switch part {
    case .usb:
      texts("\(root)/sys/bus/usb/devices") { folder in
        let words = ["manufacturer", "product"].compactMap {
          MachineReadings.firstLine("\(folder)/\($0)")
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
      }
    case .displays:
      texts("\(root)/sys/class/drm") { MachineReadings.firstLine("\($0)/modes") }
    case .clockChip:
      texts("\(root)/sys/class/rtc") { MachineReadings.firstLine("\($0)/since_epoch") }
    }
  }

  private static func texts(
    _ folder: String, _ text: (String) -> String?
  ) -> [String: String] {
    var texts: [String: String] = [:]
    for name in FolderReader.names(in: folder, atMost: KernelReadings.maximumEntries) {
      texts[name] = text("\(folder)/\(name)")
    }
    return texts
  }

  private let texts: [Part: [String: String]]

  /// - Parameter texts: the results of ``read(_:root:)``. A part that has not answered is missing.
  init(_ texts: [Part: [String: String]]) { self.texts = texts }

  subscript(_ part: Part, _ name: String) -> String? { texts[part]?[name] }

  /// The parts that have not answered.
  var silent: [Part] { Part.allCases.filter { texts[$0] == nil } }
}

/// Reads the texts of all devices. The control thread calls all methods. No call blocks.
final class DeviceTextReader {
  private let readers: [(part: DeviceTexts.Part, reader: DeviceReader<[String: String]?>)]

  /// - Parameter root: the folder that contains `sys`.
  init(_ loop: EventLoop, root: String = KernelReadings.standardRoot) {
    readers = DeviceTexts.Part.allCases.map { part in
      (part, DeviceReader(loop, silent: nil) { DeviceTexts.read(part, root: root) })
    }
  }

  /// `completion` is called once, at the latest when the time limit of a ``DeviceReader`` has passed.
  func read(completion: @escaping (DeviceTexts) -> Void) {
    var texts: [DeviceTexts.Part: [String: String]] = [:]
    var missing = readers.count
    for (part, reader) in readers {
      reader.read {
        texts[part] = $0
        missing -= 1
        if missing == 0 { completion(DeviceTexts(texts)) }
      }
    }
  }
}
