internal import Files
internal import Glibc
internal import Reports
internal import Settings
internal import Text

/// What the kernel reports about memory, load, itself and its devices. The files are in the kernel's own file systems,
/// and the kernel does not wait for a device when they are read. ``DeviceTexts`` has the others. Each list is limited.
struct KernelReadings: Equatable {
  /// A disk or a partition at USB or of a removable medium.
  struct Disk: Equatable {
    /// The kernel's name: `sda`.
    var name: String
    var bytes: UInt64
    /// The names of the partitions. Empty if the disk has no partition table.
    var partitions: [String]
    /// The parts of the disk that are mounted, with their mount points.
    var mounts: [String]
    /// The number of requests that ended with an error; nil if the driver does not count them.
    var errors: Int?
  }

  /// A connector of the display.
  struct Connector: Equatable {
    /// The name without the card: `HDMI-A-1`.
    var name: String
    var status: Status
    /// The first mode, such as `1024x600`. Nil if the display reports no mode.
    var mode: String?

    enum Status: Equatable {
      case connected
      case disconnected
      /// The display cannot be detected. This is normal for old panels and analog outputs.
      case unknown

      var text: String {
        switch self {
        case .connected: "connected"
        case .disconnected: "not connected"
        case .unknown: "not known whether connected"
        }
      }
    }

    /// False if no display is connected. The screen uses the other connectors, as `KMSDisplay` does.
    var isUsable: Bool { status != .disconnected }
  }

  /// The whole memory and the memory that programs can still get, in KiB.
  struct Memory: Equatable {
    var total: Int
    var available: Int
  }

  /// A device at USB.
  struct USBDevice: Equatable {
    /// An interface of the device: its class, as the USB standard numbers it, and its driver. No driver uses an
    /// interface without one.
    struct Interface: Equatable {
      var kind: Int
      var driver: String?
    }

    static let sound = 0x01
    static let keys = 0x03
    static let storage = 0x08
    static let wireless = 0xE0

    var name: String
    var interfaces: [Interface]

    /// True if the device has interfaces of this class, and no driver uses them.
    func lacksDriver(for kind: Int) -> Bool {
      let wanted = interfaces.filter { $0.kind == kind }
      return !wanted.isEmpty && wanted.allSatisfy { $0.driver == nil }
    }
  }

  /// The folder that contains `proc` and `sys`, without a slash at its end. Tests set `AUTOHARP_MACHINE`.
  static var standardRoot: String { getenv("AUTOHARP_MACHINE").map { String(cString: $0) } ?? "" }

  /// A light of a display.
  struct Backlight: Equatable {
    var name: String
    var brightness: Int
    var maximum: Int
  }

  /// Maximum number of entries of a folder that are read.
  static let maximumEntries = 64

  /// Nil if the kernel does not report its memory.
  var memory: Memory?
  /// The number of programs that the kernel has ended since its start, because memory was short.
  var killed = 0
  /// The average number of programs that ran or waited for the processor in the last minute.
  var load: Double?
  /// The share of the last ten seconds in which a program waited for a processor, in per cent. Nil if the kernel does
  /// not measure it.
  var pressure: Double?
  var processors = 1
  var processorsText: String { processors == 1 ? "1 processor" : "\(processors) processors" }
  /// The kernel's own faults, see ``Fault``.
  var faults: Set<Fault> = []
  /// The line with which the kernel ended in the last run of the machine. Nil if it did not crash.
  var lastCrash: String?
  var disks: [Disk] = []
  /// The errors of the unit's own file systems, which the kernel counts until the next repair. The keys are the
  /// names of the devices: `vda4`.
  var ownErrors: [String: Int] = [:]
  var connectors: [Connector] = []
  /// The names of the touch screens.
  var touchScreens: [String] = []
  /// The Bluetooth controllers that a driver of the kernel has found: `hci0`.
  var controllers: [String] = []
  /// The time of the clock chip in seconds since 1970. Nil without a chip.
  var chipSeconds: Int?
  var usb: [USBDevice] = []
  /// The command line of the kernel.
  var commandLine = ""
  var backlights: [Backlight] = []
  /// The parts of ``DeviceTexts`` that have not answered.
  var silentDevices: [DeviceTexts.Part] = []

  /// A fault that the kernel remembers until the next start.
  enum Fault: Int, CaseIterable {
    /// The kernel has crashed in one of its threads, and continued (`D`).
    case oops = 7
    /// The kernel has found an error in itself, and continued (`W`).
    case warning = 9
    /// A program or the kernel itself waited too long for a processor (`L`).
    case softLockup = 14
  }

  init() {}

  /// - Parameters:
  ///   - root: the folder that contains `proc` and `sys`. Tests use another folder.
  ///   - mounts: the mounts of the machine.
  ///   - texts: the texts of the devices; nil if they are not needed.
  init(root: String = "", mounts: [Mount], _ texts: DeviceTexts? = nil) {
    memory = Self.memory(MachineReadings.read("\(root)/proc/meminfo", limit: 8192) ?? "")
    killed =
      Self.value("oom_kill", in: MachineReadings.read("\(root)/proc/vmstat", limit: 16384) ?? "")
      ?? 0
    load = MachineReadings.firstLine("\(root)/proc/loadavg")
      .flatMap { $0.split(separator: " ").first }.flatMap { Double($0) }
    pressure = Self.pressure(MachineReadings.firstLine("\(root)/proc/pressure/cpu") ?? "")
    processors = max(1, NumberedNames.all("cpu", in: "\(root)/sys/devices/system/cpu").count)
    let tainted = MachineReadings.firstLine("\(root)/proc/sys/kernel/tainted").flatMap { Int($0) }
    faults = Set(Fault.allCases.filter { (tainted ?? 0) & (1 << $0.rawValue) != 0 })
    lastCrash = MachineReadings.firstLine("\(root)/run/crash/kernel")
    disks = Self.disks("\(root)/sys/block", mounts)
    ownErrors = Self.ownErrors("\(root)/sys/fs/ext4", except: disks)
    connectors = Self.connectors("\(root)/sys/class/drm", texts)
    touchScreens = Self.touchScreens("\(root)/sys/class/input")
    controllers = NumberedNames.all("hci", in: "\(root)/sys/class/bluetooth")
    chipSeconds = texts?[.clockChip, "rtc0"].flatMap { Int($0) }
    usb = Self.usb("\(root)/sys/bus/usb/devices", texts)
    silentDevices = texts?.silent ?? []
    commandLine = MachineReadings.firstLine("\(root)/proc/cmdline") ?? ""
    let lights = "\(root)/sys/class/backlight"
    backlights = Self.entries(lights).compactMap { name in
      func number(_ file: String) -> Int? {
        MachineReadings.firstLine("\(lights)/\(name)/\(file)").flatMap { Int($0) }
      }
      guard let brightness = number("brightness"), let maximum = number("max_brightness") else {
        return nil
      }
      return Backlight(name: name, brightness: brightness, maximum: maximum)
    }
  }
}

extension KernelReadings {
  /// The number in the line that begins with `key` and a space.
  private static func value(_ key: String, in text: String) -> Int? {
    text.split(separator: "\n").first { $0.hasPrefix("\(key) ") }
      .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
  }

  private static func memory(_ text: String) -> Memory? {
    guard let total = value("MemTotal:", in: text),
      let available = value("MemAvailable:", in: text),
      total > 0
    else { return nil }
    return Memory(total: total, available: available)
  }

  private static func disks(_ folder: String, _ mounts: [Mount]) -> [Disk] {
    entries(folder).compactMap { name in
      let path = "\(folder)/\(name)"
      // The disk of the unit itself is neither removable nor at USB.
      guard !name.hasPrefix("loop"), !name.hasPrefix("ram"),
        MachineReadings.firstLine("\(path)/removable") == "1" || isAtUSB(path),
        let sectors = MachineReadings.firstLine("\(path)/size").flatMap({ UInt64($0) }), sectors > 0
      else { return nil }
      let partitions = entries(path).filter { $0.hasPrefix(name) }
      let errors = MachineReadings.firstLine("\(path)/device/ioerr_cnt")
      return Disk(
        name: name, bytes: sectors.multipliedReportingOverflow(by: 512).partialValue,
        partitions: partitions,
        mounts: mounts.filter { mount in
          ([name] + partitions).contains { mount.source == "/dev/\($0)" }
        }.map(\.point),
        // The number is hexadecimal with the prefix 0x.
        errors: errors.flatMap { Int($0.dropFirst(2), radix: 16) })
    }
  }

  private static func ownErrors(_ folder: String, except disks: [Disk]) -> [String: Int] {
    let removable = Set(disks.flatMap { [$0.name] + $0.partitions })
    var errors: [String: Int] = [:]
    for name in entries(folder) where !removable.contains(name) {
      let count = MachineReadings.firstLine("\(folder)/\(name)/errors_count").flatMap { Int($0) }
      if let count, count > 0 { errors[name] = count }
    }
    return errors
  }

  /// The number in `some avg10=1.25 avg60=0.50 …`.
  private static func pressure(_ line: String) -> Double? {
    line.split(separator: " ").first { $0.hasPrefix("avg10=") }
      .flatMap { Double($0.dropFirst("avg10=".count)) }
  }

  private static func isAtUSB(_ path: String) -> Bool {
    target(path)?.includes("/usb") ?? false
  }

  /// The path without symbolic links. Nil if nothing is there.
  private static func target(_ path: String) -> String? {
    realpath(path, nil).map { found in
      defer { free(found) }
      return String(cString: found)
    }
  }

  private static func connectors(_ folder: String, _ texts: DeviceTexts?) -> [Connector] {
    entries(folder).compactMap { name in
      guard let dash = name.firstIndex(of: "-"),
        NumberedNames.number(of: String(name[..<dash]), "card") != nil,
        let status = MachineReadings.firstLine("\(folder)/\(name)/status")
      else { return nil }
      return Connector(
        name: String(name[name.index(after: dash)...]),
        status: status == "connected"
          ? .connected : status == "disconnected" ? .disconnected : .unknown,
        mode: texts?[.displays, name])
    }
  }

  /// The kernel gives touch screens the property `INPUT_PROP_DIRECT`, which is bit 1. A device that reports positions
  /// (the axes 0 and 1) and a left button (0x110) acts as a touch screen too, for example in an emulator.
  private static func touchScreens(_ folder: String) -> [String] {
    NumberedNames.all("event", in: folder).compactMap { name in
      let device = "\(folder)/\(name)/device"
      func has(_ bit: Int, _ file: String) -> Bool { Self.has(bit, "\(device)/\(file)") }
      let isTouchScreen =
        has(1, "properties")
        || has(0, "capabilities/abs") && has(1, "capabilities/abs")
          && has(0x110, "capabilities/key")
      return isTouchScreen ? MachineReadings.firstLine("\(device)/name") ?? name : nil
    }
  }

  /// True if a bit is set in a file of the input devices: words of 64 bits in hexadecimal, the lowest word last.
  private static func has(_ bit: Int, _ file: String) -> Bool {
    let words = (MachineReadings.firstLine(file) ?? "").split(separator: " ")
    let index = words.count - 1 - bit / 64
    guard words.indices.contains(index), let word = UInt64(words[index], radix: 16) else {
      return false
    }
    return word & (1 << (bit % 64)) != 0
  }

  private static func usb(_ folder: String, _ texts: DeviceTexts?) -> [USBDevice] {
    let names = entries(folder)
    return names.compactMap { name in
      // Names with a colon are interfaces. `usb1` is a port of the board itself.
      guard !name.contains(":"), !name.hasPrefix("usb") else { return nil }
      let interfaces = names.filter { $0.hasPrefix("\(name):") }.map { interface in
        let path = "\(folder)/\(interface)"
        return USBDevice.Interface(
          kind: MachineReadings.firstLine("\(path)/bInterfaceClass")
            .flatMap { Int($0, radix: 16) } ?? 0,
          driver: target("\(path)/driver").map {
            $0.split(separator: "/").last.map(String.init) ?? ""
          })
      }
      return USBDevice(name: texts?[.usb, name] ?? name, interfaces: interfaces)
    }
  }

  private static func entries(_ folder: String) -> [String] {
    FolderReader.names(in: folder, atMost: maximumEntries)
  }
}
