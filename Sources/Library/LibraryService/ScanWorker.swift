internal import EventLoop
internal import LibraryDatabase
internal import LibraryModel
internal import LibraryScan
internal import NameKeys
internal import SQLite
internal import Threads

/// The work of the scanning thread: opens the database and scans the volumes, one after the other.
final class ScanWorker {
  private let exchange: ScanExchange
  private let folders: LibraryFolders
  private let articles: Articles
  private let harmful: HarmfulFiles
  private let covers: CoverWorker
  private let watches: FolderWatches
  private let limits: LibraryLimits
  private let upkeep: LibraryUpkeep
  private var writer: LibraryWriter?
  private var lastProgress: Int64 = 0
  /// How often the database was made again. A fault that comes back must not keep the program busy.
  private var remakes = 0
  private static let maximumRemakes = 3
  /// True if the storage could not be written. Then the database is in memory until the program ends.
  private var isStorageUnusable = false
  /// The folder of the database that is open.
  private var folder = ""

  init(
    _ exchange: ScanExchange, _ folders: LibraryFolders, _ articles: Articles,
    _ options: CoverOptions, _ watches: FolderWatches, _ limits: LibraryLimits
  ) {
    self.exchange = exchange
    self.folders = folders
    self.articles = articles
    self.watches = watches
    self.limits = limits
    upkeep = LibraryUpkeep(exchange, limits)
    harmful = HarmfulFiles(in: folders.runtime)
    covers = CoverWorker(exchange, in: folders.database, options, harmful)
  }

  /// Works until the program ends.
  func run() {
    while true {
      if writer == nil { open() }
      guard let job = exchange.takeJob() else {
        rest()
        continue
      }
      if job == .end { break }
      if job == .remake {
        // Not in `perform`, which holds the old writer.
        remake()
        continue
      }
      guard writer != nil else {
        refuse(job)
        exchange.workerWake.wait(milliseconds: 60_000)
        continue
      }
      do throws(DatabaseError) {
        try perform(job)
      } catch {
        failed(error, job)
      }
    }
    harmful.end()
    covers.close()
    try? writer?.checkpoint()
    writer = nil
  }

  /// Does what is less urgent than all jobs, and waits for a job.
  private func rest() {
    guard let writer else { return exchange.workerWake.wait(milliseconds: 60_000) }
    do throws(DatabaseError) {
      if harmful.mustSettle { try settle(writer) }
      if try upkeep.work(writer) { return }
    } catch {
      // Otherwise the library can be used as before. The next scan tries again.
      if error.isOfContent { return failed(error, nil) }
    }
    // Without a folder for the database, there is no room for thumbnails.
    if folder == folders.database, covers.work() { return }
    exchange.workerWake.wait(milliseconds: upkeep.milliseconds)
  }

  // MARK: The database

  private func open() {
    for folder in isStorageUnusable ? [folders.runtime] : [folders.database, folders.runtime] {
      do throws(DatabaseError) {
        // The second folder is in memory.
        let isInMemory = folder == folders.runtime && folder != folders.database
        let opened = try openWriter(
          folder,
          maximumBytes: isInMemory ? LibraryFolders.maximumBytesInMemory : limits.databaseBytes)
        try harmful.load(opened)
        writer = opened
        self.folder = folder
        exchange.update { findings in
          findings.generation += 1
          findings.harmful = harmful.all
          findings.folder = folder
          findings.revision = self.writer?.revision ?? 0
        }
        if !isInMemory { covers.open() }
        if isInMemory { exchange.say("the library is in memory until the next start") }
        return
      } catch {
        exchange.say("\(folder): the library cannot be opened: \(error.message)")
      }
    }
  }

  private func openWriter(
    _ folder: String, maximumBytes: Int?
  ) throws(DatabaseError) -> LibraryWriter {
    func attempt() throws(DatabaseError) -> LibraryWriter {
      let opened = try LibraryFile.open(in: folder, key: articles.key, maximumBytes: maximumBytes)
      if let error = opened.repaired {
        exchange.say("the library was made again: \(error.message)")
      }
      upkeep.opened(wasClosed: opened.wasClosed)
      return try LibraryWriter(opened.database, articles: articles)
    }
    do {
      return try attempt()
    } catch {
      // The file can be opened if only the index of words is damaged, but its statements cannot be compiled.
      guard error.isOfContent else { throw error }
      exchange.say("the library is damaged and is made again: \(error.message)")
      LibraryFile.remove(in: folder)
      return try attempt()
    }
  }

  private func remake() {
    remakes += 1
    writer = nil
    LibraryFile.remove(in: folder)
    open()
    exchange.remade()
  }

  private func failed(_ error: DatabaseError, _ job: ScanExchange.Job?) {
    if error.isOfStorage, folder == folders.database, folder != folders.runtime {
      exchange.say("\(folder): the library cannot be written: \(error.message)")
      return moveToMemory()
    }
    if error.isOfContent, remakes < Self.maximumRemakes {
      if exchange.remake(generation: exchange.findings.generation) {
        exchange.say("the library is damaged and is made again: \(error.message)")
      }
      return
    }
    exchange.say("the scan has failed: \(error.message)")
    if let job { refuse(job) }
  }

  /// Makes a database in memory, and reads all volumes again. The database in the storage stays for the next start.
  private func moveToMemory() {
    isStorageUnusable = true
    writer = nil
    open()
    exchange.rescan("")
  }

  private func refuse(_ job: ScanExchange.Job) {
    guard case .scan(let volume, _) = job else { return }
    exchange.update { $0.conditions[volume.identity] = .refused }
  }

  // MARK: Jobs

  private func perform(_ job: ScanExchange.Job) throws(DatabaseError) {
    guard let writer else { return }
    switch job {
    case .end, .remake: break
    case .scan(let volume, let others): try scan(volume, others, writer)
    case .readAnew(let identity):
      try writer.transaction { () throws(DatabaseError) in
        try writer.markUnread(identity: identity)
      }
    case .forget(let identity):
      try writer.transaction { () throws(DatabaseError) in
        try writer.removeVolume(identity: identity)
      }
      covers.forget(identity)
    }
    try settle(writer)
    exchange.update { $0.revision = writer.revision }
  }

  private func scan(
    _ volume: LibraryVolume, _ others: [LibraryVolume], _ writer: LibraryWriter
  ) throws(DatabaseError) {
    var options = VolumeScan.Options()
    options.preferredFolder = exchange.preferredFolder
    options.otherVolumes = Set(others.map(\.path))
    show(.listing(0), of: volume)
    var isWatched = false
    let scan = VolumeScan(
      volume, into: writer, options: options,
      reading: { [harmful] in harmful.reading($0, $1, of: volume) },
      willRead: { [unowned self] in note($0, volume) },
      willList: { [watches] path, depth in
        // The depth of the root is 0.
        if depth == 0 { isWatched = watches.beginScan(volume) }
        if isWatched { watches.add(path, depth: depth, of: volume) }
      },
      report: { [unowned self] in goesOn($0, volume, writer) })
    defer { note(.none, volume) }
    let result = try scan.run()
    note(.none, volume)
    if result.ending != .stopped { try writer.checkpoint() }
    exchange.update { findings in
      findings.scans += 1
      findings.revision = writer.revision
      if result.wasCut {
        findings.cut.insert(volume.identity)
      } else {
        findings.cut.remove(volume.identity)
      }
    }
    if ![.stopped, .tooManyVolumes].contains(result.ending) { upkeep.add(volume) }
    switch result.ending {
    case .complete:
      watches.endScan(volume)
      show(.ready, of: volume)
      covers.add(volume)
    case .stopped: exchange.scanAgain(volume)
    case .lost: show(.unreadable, of: volume)
    case .empty: show(.empty, of: volume)
    case .tooManyVolumes: show(.refused, of: volume)
    }
  }

  /// Notes what the scan does with the medium, in case that the medium does not answer, or that a file stops the
  /// program.
  private func note(_ access: VolumeScan.Access, _ volume: LibraryVolume) {
    if case .file(let path, let stamp) = access {
      harmful.begin(path, stamp, of: volume)
    } else {
      harmful.end()
    }
    exchange.setReading(access == .none ? nil : (volume.identity, EventClock.monotonic.now))
  }

  /// Forgets the files that have stopped a program and were then read to their ends.
  private func settle(_ writer: LibraryWriter) throws(DatabaseError) {
    try harmful.settle(writer)
    exchange.update { $0.harmful = harmful.all }
  }

  private func show(_ condition: VolumeReport.Condition, of volume: LibraryVolume) {
    exchange.update { findings in
      // A volume that was removed has no condition.
      if findings.conditions[volume.identity] != nil {
        findings.conditions[volume.identity] = condition
      }
    }
  }

  /// Called before each access to the medium. False if the scan must stop.
  private func goesOn(
    _ progress: VolumeScan.Progress, _ volume: LibraryVolume, _ writer: LibraryWriter
  ) -> Bool {
    let now = EventClock.monotonic.now
    if now - lastProgress > Self.progressInterval {
      lastProgress = now
      let condition: VolumeReport.Condition =
        progress.read == 0
        ? .listing(progress.files) : .reading(progress.read, of: progress.unread)
      show(condition, of: volume)
      exchange.update { $0.revision = writer.revision }
    }
    while true {
      switch exchange.pace(of: volume) {
      case .goesOn: return true
      case .stops: return false
      case .held:
        note(.none, volume)
        exchange.workerWake.wait()
      }
    }
  }

  /// The time between two reports of the progress, in nanoseconds.
  private static let progressInterval: Int64 = 500_000_000
}
