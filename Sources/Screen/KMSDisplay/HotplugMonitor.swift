internal import CDRM
internal import EventLoop
internal import Glibc

/// Tells when something about graphics cards may be different: a card has come or gone, a node has got
/// its group, a cable was plugged or pulled.
///
/// It listens to the kernel and to the folder of the nodes, and not to udev, which starts long after the
/// first picture.
final class HotplugMonitor {
  private let onChange: () -> Void
  private var sources: [DescriptorSource] = []
  private var descriptors: [Int32] = []
  private var isWatchingCards = false
  private var watcher: Int32 = -1

  init(_ loop: EventLoop, onChange: @escaping () -> Void) {
    self.onChange = onChange
    let news = cdrm_open_news()
    if news >= 0 { listen(loop, news) { [weak self] in self?.readNews(news) } }
    watcher = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
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

  /// The folder comes with the first card.
  private func watch() {
    guard !isWatchingCards else { return }
    let changes = UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVED_TO)
    isWatchingCards = inotify_add_watch(watcher, Card.folder, changes | UInt32(IN_ONLYDIR)) >= 0
    if !isWatchingCards { _ = inotify_add_watch(watcher, "/dev", UInt32(IN_CREATE)) }
  }

  private func readFolders() {
    // What is in them does not matter: who is told looks at everything.
    let hadCards = isWatchingCards
    while withUnsafeTemporaryAllocation(
      byteCount: 4096, alignment: 8, { read(watcher, $0.baseAddress, $0.count) }) > 0
    {}
    watch()
    // News of other folders of /dev are none.
    if isWatchingCards || hadCards { onChange() }
  }

  private func readNews(_ descriptor: Int32) {
    var isOurs = false
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { text in
      while true {
        var isFromKernel: Int32 = 0
        let length = cdrm_read_news(
          descriptor, text.baseAddress, UInt(text.count), &isFromKernel)
        // Some were lost: then it may have been ours.
        if length == -Int(ENOBUFS) { isOurs = true }
        guard length >= 0 else { return }
        if isFromKernel != 0, Self.isOfGraphics(text[..<length]) { isOurs = true }
      }
    }
    if isOurs { onChange() }
  }

  /// Words that end with 0: what and where, then `NAME=value`.
  static func isOfGraphics(_ message: some Collection<CChar>) -> Bool {
    message.split(separator: 0).contains { $0.elementsEqual(subsystem) }
  }

  private static let subsystem = "SUBSYSTEM=drm".utf8.map { CChar(bitPattern: $0) }
}
