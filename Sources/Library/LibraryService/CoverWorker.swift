internal import EventLoop
internal import Files
internal import LibraryCovers
internal import LibraryDatabase
internal import LibraryModel
internal import PictureProgram
internal import SQLite
internal import Threads

/// The thumbnails on the scanning thread: which volumes need a pass, and what happens after an error.
final class CoverWorker {
  private let exchange: ScanExchange
  private let folder: String
  private let maximumBytes: Int
  private let process: PictureProcess
  private let harmful: HarmfulFiles
  private var writer: CoverWriter?
  /// The volumes that need a pass. The one that was scanned last comes first.
  private var due: [LibraryVolume] = []
  /// True if the decoder or the storage cannot be used until the next start.
  private var isUnavailable = false
  private var isFullReported = false
  /// True if the file must be made again. That waits until no object uses the connection, because closing a connection
  /// removes the journal.
  private var isDamaged = false
  private var remakes = 0
  private static let maximumRemakes = 3

  init(
    _ exchange: ScanExchange, in folder: String, _ options: CoverOptions, _ harmful: HarmfulFiles
  ) {
    self.exchange = exchange
    self.folder = folder
    self.harmful = harmful
    maximumBytes = options.maximumBytes
    process = PictureProcess(path: options.decoder)
  }

  /// Notes that a volume was scanned.
  func add(_ volume: LibraryVolume) {
    due.removeAll { $0.identity == volume.identity }
    due.append(volume)
  }

  /// Removes the thumbnails of a volume that the library has forgotten.
  func forget(_ identity: String) {
    due.removeAll { $0.identity == identity }
    guard open() else { return }
    do throws(DatabaseError) {
      try writer?.remove(volume: identity)
      try writer?.checkpoint()
      noteChange()
    } catch {
      failed(error)
    }
  }

  /// Works on the thumbnails of one volume, until it is done or something is more urgent. False if there is nothing to
  /// do.
  func work() -> Bool {
    if exchange.takeCoverRemake() || isDamaged { remake() }
    guard !isUnavailable, open(), let writer, let volume = due.last else { return false }
    guard exchange.coverPace(of: volume) != .stops else {
      // Either there is a job, or the volume is gone.
      due.removeAll { !exchange.present.contains($0) }
      return true
    }
    do {
      let reader = LibraryReader(try LibraryFile.reader(in: folder))
      let pass = CoverPass(
        volume.identity, path: volume.path, isMedium: volume.isMedium,
        present: Set(exchange.present.map(\.identity)), reader: reader, writer: writer,
        process: process, pace: pace(of: volume))
      finish(try pass.run(), volume)
    } catch CoverPass.Failure.covers(let error) {
      failed(error)
    } catch CoverPass.Failure.library(let error) {
      libraryFailed(error)
    } catch let error as DatabaseError {
      libraryFailed(error)
    } catch {
      // The functions above throw no other error.
      due.removeAll()
    }
    harmful.end()
    exchange.setReading(nil)
    return true
  }

  private func finish(_ outcome: CoverPass.Outcome, _ volume: LibraryVolume) {
    switch outcome.ending {
    case .complete: due.removeAll { $0 == volume }
    case .stopped: break
    case .full:
      due.removeAll { $0 == volume }
      if !isFullReported { exchange.say("there is no room for thumbnails of all albums") }
      isFullReported = true
    case .noDecoder(let text):
      exchange.say("thumbnails cannot be made: \(text)")
      isUnavailable = true
    }
  }

  private func pace(of volume: LibraryVolume) -> CoverPace {
    let (exchange, harmful) = (exchange, harmful)
    return CoverPace(
      mayRead: { file in
        let stamp = file.stamp.digest
        let known = harmful.known(file.path, stamp: stamp, of: volume.identity)
        guard known?.isExcluded != true else { return false }
        harmful.begin(file.path, stamp: stamp, of: volume.identity)
        return true
      },
      continues: {
        while true {
          switch exchange.coverPace(of: volume) {
          case .goesOn:
            exchange.setReading((volume.identity, EventClock.monotonic.now))
            return true
          case .stops: return false
          case .held:
            exchange.setReading(nil)
            exchange.workerWake.wait()
          }
        }
      },
      interruption: ChildProgram.Interruption(exchange.workerWake) {
        // A decoder reads no medium.
        exchange.setReading(nil)
        return exchange.coverPace(of: volume) != .goesOn
      },
      committed: { [weak self] in self?.noteChange() })
  }

  private func noteChange() { exchange.update { $0.coverChanges += 1 } }

  // MARK: The file

  /// Opens the file, so that the thumbnails of absent volumes can be read. False if it cannot be used.
  @discardableResult
  func open() -> Bool {
    if writer != nil { return true }
    if isUnavailable { return false }
    do throws(DatabaseError) {
      writer = try CoverWriter(in: folder, maximumBytes: maximumBytes)
      exchange.update { $0.coverGeneration += 1 }
      return true
    } catch {
      exchange.say("thumbnails cannot be stored: \(error.message)")
      isUnavailable = true
      return false
    }
  }

  /// Closes the file at the end of the program. The connection that is closed last removes the journal.
  func close() { writer = nil }

  /// The next question to the library finds out whether it is damaged.
  private func libraryFailed(_ error: DatabaseError) {
    exchange.say("thumbnails cannot be made: \(error.message)")
    due.removeAll()
  }

  private func failed(_ error: DatabaseError) {
    exchange.say("thumbnails cannot be stored: \(error.message)")
    guard error.isOfContent, remakes < Self.maximumRemakes else {
      // For example, the storage is full. The next scan tries again.
      due.removeAll()
      return
    }
    isDamaged = true
  }

  /// Makes the file again, because it is damaged. A fault that comes back must not keep the program busy.
  private func remake() {
    isDamaged = false
    writer = nil
    CoverFile.remove(in: folder)
    remakes += 1
    guard remakes <= Self.maximumRemakes else {
      isUnavailable = true
      return
    }
    due = exchange.readyVolumes
    noteChange()
  }
}
