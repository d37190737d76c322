internal import CDRM
internal import EventLoop
internal import Glibc

/// Reports possible changes of the graphics cards and of the backlight: a card was added or removed, the group of a
/// device node was set, or a cable was plugged in or pulled.
///
/// The monitor reads the kernel's uevents, and watches the folder of the nodes with inotify. It does not use udev,
/// because udev starts long after the first picture.
final class HotplugMonitor {
  /// The devices that possibly changed: the graphics cards, or the backlight.
  enum Subject: CaseIterable {
    case graphics, light
  }

  private let onChange: (Subject) -> Void
  private var sources: [DescriptorSource] = []
  private var descriptors: [Int32] = []
  private var isWatchingCards = false
  private var watcher: Int32 = -1

  init(_ loop: EventLoop, onChange: @escaping (Subject) -> Void) {
    self.onChange = onChange
    let uevents = cdrm_open_news()
    if uevents >= 0 { listen(loop, uevents) { [weak self] in self?.readUevents(uevents) } }
    watcher = Inotify.open()
    if watcher >= 0 {
      listen(loop, watcher) { [weak self] in self?.readFolders() }
      watch()
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for descriptor in descriptors { close(descriptor) }
  }

  private func listen(_ loop: EventLoop, _ descriptor: Int32, _ read: @escaping () -> Void) {
    descriptors.append(descriptor)
    if let source = try? DescriptorSource(loop, descriptor: descriptor, { _ in read() }) {
      sources.append(source)
    }
  }

  /// Watches the folder of the cards. The kernel creates this folder together with the first card. If the folder does
  /// not exist yet, this function watches `/dev`.
  private func watch() {
    guard !isWatchingCards else { return }
    let changes = UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVED_TO)
    isWatchingCards = inotify_add_watch(watcher, Card.folder, changes | UInt32(IN_ONLYDIR)) >= 0
    if !isWatchingCards { _ = inotify_add_watch(watcher, "/dev", UInt32(IN_CREATE)) }
  }

  private func readFolders() {
    // The content of the events is not used, because the owner of the monitor checks all cards again.
    let hadCards = isWatchingCards
    Inotify.drain(watcher)
    watch()
    // If the folder of the cards did not exist before and does not exist now, another file in `/dev` has changed. This
    // change is ignored.
    if isWatchingCards || hadCards { onChange(.graphics) }
  }

  private func readUevents(_ descriptor: Int32) {
    var subjects: Set<Subject> = []
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { text in
      while true {
        var isFromKernel: Int32 = 0
        let length = cdrm_read_news(
          descriptor, text.baseAddress, UInt(text.count), &isFromKernel)
        // `ENOBUFS` means that the kernel has dropped messages. Their subjects are not known, so all subjects are
        // reported.
        if length == -Int(ENOBUFS) { subjects = Set(Subject.allCases) }
        guard length >= 0 else { return }
        if isFromKernel != 0, let subject = Self.subject(of: text[..<length]) {
          subjects.insert(subject)
        }
      }
    }
    for subject in subjects { onChange(subject) }
  }

  /// The subject of a uevent. A uevent is a list of strings that end with a NUL. The first string contains the action
  /// and the path. Each further string has the form `NAME=value`.
  static func subject(of message: some Collection<CChar>) -> Subject? {
    let words = message.split(separator: 0)
    return subsystems.first { _, name in words.contains { $0.elementsEqual(name) } }?.subject
  }

  private static let subsystems: [(subject: Subject, name: [CChar])] = [
    (.graphics, "drm"), (.light, "backlight"),
  ].map { ($0, "SUBSYSTEM=\($1)".utf8.map { CChar(bitPattern: $0) }) }
}
