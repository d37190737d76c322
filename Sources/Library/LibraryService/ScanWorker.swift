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
  /// How often the database was created again. The number is limited, so that a permanent fault does not keep the
  /// program busy.
  private var remakes = 0
  private static let maximumRemakes = 3
  /// True after the storage could not be written. The database is then in memory until the program ends.
  private var isStorageUnusable = false
  /// The folder of the open database.
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
        // `perform` cannot call `remake`, because `perform` keeps a reference to the old writer.
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

  /// Does the work that is less urgent than all jobs. If there is no such work, waits for a job.
  private func rest() {
    guard let writer else { return exchange.workerWake.wait(milliseconds: 60_000) }
    do throws(DatabaseError) {
      if harmful.mustSettle { try settle(writer) }
      if try upkeep.work(writer) { return }
    } catch {
      // If the database is not damaged, the error is ignored: the library is still usable, and this work is requested
      // again after the next scan.
      if error.isOfContent { return failed(error, nil) }
    }
    // If the database is in memory, there is no room for thumbnails.
    if folder == folders.database, covers.work() { return }
    exchange.workerWake.wait(milliseconds: upkeep.milliseconds)
  }

  // MARK: The database

  private func open() {
    for folder in isStorageUnusable ? [folders.runtime] : [folders.database, folders.runtime] {
      do throws(DatabaseError) {
        // The folder `runtime` is in memory.
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
          findings.isInMemory = isInMemory
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
        exchange.say("the library was created again: \(error.message)")
      }
      upkeep.opened(wasClosed: opened.wasClosed)
      return try LibraryWriter(opened.database, articles: articles)
    }
    do {
      return try attempt()
    } catch {
      // If only the index of words is damaged, the file can be opened, but the statements cannot be compiled. So damage
      // is also handled here, and not only in `LibraryFile.open`.
      guard error.isOfContent else { throw error }
      exchange.say("the library is damaged and is created again: \(error.message)")
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
        exchange.say("the library is damaged and is created again: \(error.message)")
      }
      return
    }
    exchange.say("the scan has failed: \(error.message)")
    if let job { refuse(job) }
  }

  /// Creates a database in memory, and scans all volumes again. The database in the storage is kept for the next start.
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

  /// Records the access of the scan to the medium. From this record, ``LibraryService`` recognises a medium that does
  /// not answer. If the program crashes or is killed, its next run recognises the file that was being read.
  private func note(_ access: VolumeScan.Access, _ volume: LibraryVolume) {
    if case .file(let path, let stamp) = access {
      harmful.begin(path, stamp, of: volume)
    } else {
      harmful.end()
    }
    exchange.setReading(access == .none ? nil : (volume.identity, EventClock.monotonic.now))
  }

  /// Removes the records of harmful files (``HarmfulFiles``) that were later read to their ends.
  private func settle(_ writer: LibraryWriter) throws(DatabaseError) {
    try harmful.settle(writer)
    exchange.update { $0.harmful = harmful.all }
  }

  private func show(_ condition: VolumeReport.Condition, of volume: LibraryVolume) {
    exchange.update { findings in
      // A volume without a condition was removed meanwhile.
      if findings.conditions[volume.identity] != nil {
        findings.conditions[volume.identity] = condition
      }
    }
  }

  /// Called before each folder and each file. Blocks while the library is paused. Returns false if the scan must stop.
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
