package import EventLoop
internal import Files
internal import LibraryCovers
internal import LibraryDatabase
internal import LibraryExchange
package import LibraryModel
package import NameKeys
internal import SQLite
internal import Threads

/// The main object of the library's process. Scans the volumes on a separate thread, and answers the questions of the
/// daemon at the same time.
///
/// Used on the control thread. A question reads the database, which takes some milliseconds. ``shutDown()`` waits for
/// the scanning thread. No other function blocks.
package final class LibraryService {
  let exchange = ScanExchange()
  private let worker: NamedThread
  private var isOver = false
  private var changes: DescriptorSource?
  let watches: FolderWatches
  private var watchSource: DescriptorSource?
  private var changeDelay: ChangeDelay?
  private var reportTimer: TimerSource?
  private var silenceTimer: TimerSource?
  private var reader: LibraryReader?
  private var coverReader: CoverReader?
  var coverGeneration = 0
  private(set) var generation = 0
  private var stored: [LibraryReader.StoredVolume] = []
  private var storedRevision: Int64 = -1
  /// The revision of the database for which ``LibraryReader/presentVolumes`` was set.
  private var notedRevision: Int64 = -1
  var songs = SongsOfList()
  private var lastReport: Int64 = 0
  /// The last state of the library.
  package private(set) var report = LibraryReport()
  /// Called when ``report`` has changed, at most twice a second.
  package var onReport: ((LibraryReport) -> Void)?
  /// Called with each message for the log.
  package var onMessage: ((String) -> Void)?
  private let maximumSilence: Duration
  private let runtime: String

  /// Starts the scanning thread.
  package init(
    _ loop: EventLoop, _ folders: LibraryFolders, articles: Articles,
    covers: CoverOptions = CoverOptions(), watch: WatchOptions = WatchOptions(),
    limits: LibraryLimits = LibraryLimits()
  ) throws(SystemError) {
    maximumSilence = limits.silence
    runtime = folders.runtime
    watches = FolderWatches(maximum: watch.maximumFolders) { [exchange] in exchange.say($0) }
    worker = NamedThread("scan") { [exchange, watches] in
      ScanWorker(exchange, folders, articles, covers, watches, limits).run()
    }
    changes = try DescriptorSource(loop, descriptor: exchange.changeWake.descriptor) {
      [weak self] _ in self?.changed()
    }
    changeDelay = ChangeDelay(loop, watch) { [exchange] in exchange.rescan($0) }
    if watches.descriptor >= 0 {
      watchSource = try DescriptorSource(loop, descriptor: watches.descriptor) {
        [weak self, watches] _ in self?.changeDelay?.note(watches.takeChanges())
      }
    }
    reportTimer = TimerSource(loop) { [weak self] in self?.sendReport() }
    silenceTimer = TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.checkSilence() }
    checkSilence()
  }

  /// Stops the scan and ends the thread. Waits until the current file is read.
  package func shutDown() {
    guard !isOver else { return }
    isOver = true
    // The last connection that is closed removes the journal. A read-only connection cannot remove it, so the two
    // read-only connections are closed first.
    reader = nil
    coverReader = nil
    exchange.end()
    // If a medium hangs, the program can be killed before the thread ends. `HarmfulFiles` has stored which file is
    // being read. This file must not count as harmful at the next start, so the record is cleared.
    HarmfulFiles.noteEnd(in: runtime)
    worker.join()
  }

  deinit { shutDown() }

  // MARK: Changes

  private func changed() {
    exchange.changeWake.clear()
    for message in exchange.takeMessages() { onMessage?(message) }
    // After the database was opened, the report is sent without delay. The report contains the harmful files. If the
    // program crashed at the next file, a delayed report would not be sent.
    if exchange.findings.generation != generation { return sendReport() }
    let wait = lastReport + 500_000_000 - EventClock.monotonic.now
    reportTimer?.set(after: .nanoseconds(max(0, wait)))
  }

  private func sendReport() {
    lastReport = EventClock.monotonic.now
    let new = makeReport()
    guard new != report else { return }
    report = new
    onReport?(new)
  }

  private func checkSilence() {
    silenceTimer?.set(after: maximumSilence / 4)
    if exchange.findings.reading != nil { changed() }
  }

  private func makeReport() -> LibraryReport {
    let findings = exchange.findings
    openReader(findings)
    if let reader {
      if storedRevision != findings.revision, let volumes = try? reader.volumes() {
        stored = volumes
        storedRevision = findings.revision
      }
    }
    // `revision` also counts changes of thumbnails, because a new thumbnail changes rows.
    var report = LibraryReport(
      revision: findings.revision + findings.coverChanges, songsRevision: findings.revision)
    var conditions = findings.conditions
    if let reading = findings.reading,
      .nanoseconds(EventClock.monotonic.now - reading.since) > maximumSilence
    {
      conditions[reading.volume] = .unreadable
    }
    for volume in stored {
      var known = VolumeReport(
        identity: volume.identity, label: volume.label,
        condition: conditions[volume.identity] ?? .absent, songs: volume.songs,
        problems: volume.problems.values.reduce(0, +), causes: volume.problems,
        wasCut: findings.cut.contains(volume.identity))
      known.folder = volume.folder
      report.volumes.append(known)
    }
    report.isInMemory = findings.isInMemory
    report.harmfulFiles = findings.harmful.suffix(LibraryReport.maximumHarmfulFiles).map {
      HarmfulFileReport(
        volume: $0.volume, path: FileName.text($0.path), isExcluded: $0.isExcluded)
    }
    let known = Set(stored.map(\.identity))
    for volume in exchange.present where !known.contains(volume.identity) {
      report.volumes.append(
        VolumeReport(
          identity: volume.identity, label: volume.label,
          condition: conditions[volume.identity] ?? .waiting))
    }
    return report
  }

  private func openReader(_ findings: ScanExchange.Findings) {
    guard findings.generation != generation else { return }
    generation = findings.generation
    storedRevision = -1
    notedRevision = -1
    stored = []
    reader = (try? LibraryFile.reader(in: findings.folder)).map { LibraryReader($0) }
  }

  /// Tells the reader which volumes are present, so that rows of other volumes are marked as absent.
  private func noteVolumes(_ reader: LibraryReader) throws(DatabaseError) {
    let revision = try reader.revision
    guard revision != notedRevision else { return }
    let bits = try reader.volumeBits()
    // A damaged bit number must not cause an overflow.
    reader.presentVolumes = exchange.present.reduce(0) { mask, volume in
      bits[volume.identity].map { (0..<63).contains($0) ? mask | 1 << $0 : mask } ?? mask
    }
    notedRevision = revision
  }

  /// Answers a question from the database. If the database is damaged, it is created again.
  func ask<Answer>(
    _ body: (LibraryReader) throws(DatabaseError) -> Answer
  ) throws -> Answer {
    openReader(exchange.findings)
    guard let reader else { throw LibraryFailure.unavailable }
    do throws(DatabaseError) {
      try noteVolumes(reader)
      return try body(reader)
    } catch {
      if error.isOfContent {
        self.reader = nil
        if exchange.remake(generation: generation) {
          onMessage?("the library is damaged and is created again: \(error.message)")
        }
        throw LibraryFailure.unavailable
      }
      throw LibraryFailure.failed(error.message)
    }
  }
}

extension LibraryService: LibraryAnswering {
  package func setVolumes(_ volumes: [LibraryVolume]) {
    watches.setVolumes(volumes)
    exchange.setVolumes(volumes)
    notedRevision = -1
    // The report is sent at once, so that surfaces show immediately which volumes are present.
    sendReport()
  }

  package func setPreferredFolder(_ path: [UInt8]) { exchange.setPreferredFolder(path) }

  package func setHeld(_ isHeld: Bool) { exchange.setHeld(isHeld) }

  package func rescan(_ identity: String) { exchange.rescan(identity) }

  package func readAnew(_ identity: String) { exchange.readAnew(identity) }

  package func forget(_ identity: String) { exchange.forget(identity) }

  package func rows(_ request: RowsRequest) throws -> RowBatch {
    try ask { reader throws(DatabaseError) in
      var batch = try reader.batch(
        request.node, cursor: request.cursor, limit: request.limit, heading: request.heading)
      try addArtwork(to: &batch.rows, reader)
      return batch
    }
  }

  package func letters(of node: LibraryNode, under heading: String?) throws -> [LetterGroup] {
    try ask { reader throws(DatabaseError) in try reader.letters(of: node, under: heading) }
  }

  package func find(_ request: SearchRequest) throws -> LibraryFindings {
    guard let query = SearchQuery(request.query, isByKeys: request.isByKeys) else {
      throw LibraryFailure.noQuery
    }
    return try ask { reader throws(DatabaseError) in
      var found =
        if let kind = request.kind {
          try reader.find(query, limits: [(kind, min(max(request.limit, 1), 100))])
        } else {
          try reader.find(query)
        }
      try addArtwork(to: &found.rows, reader)
      return found
    }
  }
}

// Thumbnails in answers. If there is no file of thumbnails, no row has a thumbnail.
extension LibraryService {
  package func thumbnail(of row: RowReference) throws -> [UInt8] {
    let album: Int64? = try ask { reader throws(DatabaseError) in
      switch row.kind {
      case .album: try reader.hasAlbum(row.id) ? row.id : nil
      case .song: try reader.album(ofSong: SongRowID(row.id).song)
      // Rows of other kinds have no thumbnail. No album has the id 0.
      case .artist, .genre, .playlist, .folder, .problem: 0
      }
    }
    guard let album else { throw LibraryFailure.unknownNode }
    return withCovers { covers throws(DatabaseError) in
      try covers.thumbnail(ofAlbum: album)
    } ?? []
  }

  /// Sets ``LibraryRow/artwork`` of all rows.
  func addArtwork(to rows: inout [LibraryRow], _ reader: LibraryReader) throws(DatabaseError) {
    var known: [Int64: Int64?] = [:]
    for index in rows.indices {
      let album: Int64
      switch rows[index].kind {
      case .album: album = rows[index].id
      case .song where rows[index].id != 0:
        album = try reader.album(ofSong: SongRowID(rows[index].id).song) ?? 0
      default: continue
      }
      if known[album] == nil {
        known[album] = .some(
          withCovers { covers throws(DatabaseError) in try covers.picture(ofAlbum: album) } ?? nil)
      }
      rows[index].artwork = (known[album] ?? nil).map { String($0, radix: 16) }
    }
  }

  private func withCovers<Value>(
    _ body: (CoverReader) throws(DatabaseError) -> Value
  ) -> Value? {
    let findings = exchange.findings
    if findings.coverGeneration != coverGeneration {
      coverGeneration = findings.coverGeneration
      coverReader = try? CoverReader(in: findings.folder)
    }
    guard let coverReader else { return nil }
    do throws(DatabaseError) {
      return try body(coverReader)
    } catch {
      if error.isOfContent {
        self.coverReader = nil
        exchange.remakeCovers()
      }
      return nil
    }
  }
}
