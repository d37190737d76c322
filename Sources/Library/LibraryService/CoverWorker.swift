internal import EventLoop
internal import Files
internal import LibraryCovers
internal import LibraryDatabase
internal import LibraryModel
internal import PictureProgram
internal import SQLite
internal import Threads

/// Makes thumbnails on the scanning thread. Decides which volume needs a ``CoverPass``, and handles errors.
final class CoverWorker {
  private let exchange: ScanExchange
  private let folder: String
  private let maximumBytes: Int
  private let process: PictureProcess
  private let harmful: HarmfulFiles
  private var writer: CoverWriter?
  /// The volumes that need a pass. The last element, which is the volume of the latest scan, is the next.
  private var due: [LibraryVolume] = []
  /// True if the decoder or the storage has failed so that thumbnails are not made until the next start.
  private var isUnavailable = false
  private var isFullReported = false
  /// True if the file of the thumbnails must be created again. This is done later, when no object uses the old
  /// connection any more, because closing a connection removes the journal.
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

  /// Records that a volume was scanned and needs a pass.
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

  /// Works on the thumbnails of one volume until they are complete or a job is waiting. Returns false if there is
  /// nothing to do.
  func work() -> Bool {
    if exchange.takeCoverRemake() || isDamaged { remake() }
    guard !isUnavailable, open(), let writer, let volume = due.last else { return false }
    guard exchange.coverPace(of: volume) != .stops else {
      // Either another job is waiting, or the volume was removed. Removed volumes do not need a pass.
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
      // Not reached: the functions above do not throw other errors.
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
        // While the decoder runs, no medium is read. So a slow decoder does not make the volume unreadable.
        exchange.setReading(nil)
        return exchange.coverPace(of: volume) != .goesOn
      },
      committed: { [weak self] in self?.noteChange() })
  }

  private func noteChange() { exchange.update { $0.coverChanges += 1 } }

  // MARK: The file

  /// Opens the file of the thumbnails. After this, the control thread can read thumbnails, also the thumbnails of
  /// absent volumes. Returns false if the file cannot be used.
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

  /// Closes the file of the thumbnails at the end of the program. The last connection that is closed removes the
  /// journal.
  func close() { writer = nil }

  /// Handles an error of the library's database. The next question to the library finds out whether the database is
  /// damaged.
  private func libraryFailed(_ error: DatabaseError) {
    exchange.say("thumbnails cannot be made: \(error.message)")
    due.removeAll()
  }

  private func failed(_ error: DatabaseError) {
    exchange.say("thumbnails cannot be stored: \(error.message)")
    guard error.isOfContent, remakes < Self.maximumRemakes else {
      // The reason is, for example, a full storage. The next scan of a volume adds this volume to `due` again.
      due.removeAll()
      return
    }
    isDamaged = true
  }

  /// Creates the file of the thumbnails again, because it is damaged. The number of repetitions is limited, so that a
  /// permanent fault does not keep the program busy.
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
