internal import Control
internal import LibraryModel
internal import NowPlaying
internal import Reports
internal import ScreenDisplay
internal import ScreenLayout
internal import SystemClock

// Sends the model's requests to the daemon as calls, and passes the answers to the model.
extension ScreenController {
  func send(_ requests: [ScreenRequest]) {
    for request in requests { send(request) }
  }

  private func send(_ request: ScreenRequest) {
    switch request {
    case .command(let command, let isSilent):
      client.call(Commands1.send, SentCommand(command)) { [weak self] result in
        if !isSilent { self?.answered(result) }
      }
    case .playItem(let id): call(Commands1.playQueueItem, id)
    case .artist(let name): showArtist(name)
    case .answerPairing(let isAccepted): answerPairing(isAccepted: isAccepted)
    case .pairPhone:
      client.call(Bluetooth1.openPairing, nil) { [weak self] result in
        switch result {
        case .success: self?.showNotice(\.pairingOpen, .bluetooth)
        case .failure(let error): self?.showRefusal(error.refusal)
        }
      }
    case .endSafeMode: call(Unit1.endSafeMode, ())

    case .askLibrary(let number, let question): ask(question, number)
    case .playList(let list, let row, let mode):
      let request = PlayRequest(list, row: row, mode)
      switch mode {
      case .next, .last: call(Library1.play, request)
      case .now, .shuffled, .resume: replaceQueue(Library1.play, request)
      }

    case .askQueue(let number, let question): ask(question, number)
    case .moveEntry(let entry, let other, let revision):
      edit(Library1.moveQueueItem, QueueMove(entry, before: other, revision: revision))
    case .removeEntry(let entry, let title, let revision):
      edit(Library1.removeQueueItem, QueueRemoval(entry, revision: revision)) { [weak self] in
        self?.offerUndo(.bin) { _ in title }
      }
    case .undoEdit(let revision): edit(Library1.undoQueue, revision)

    case .chooseSource(let id): replaceQueue(Sources1.choose, id)
    case .readSourceAnew(let id): call(Sources1.readAnew, id)
    case .forgetSource(let id): call(Sources1.forget, id)

    case .connectPhone(let address): call(Bluetooth1.connect, address)
    case .disconnectPhone(let address): call(Bluetooth1.disconnect, address)
    case .setFirstChoice(let address): call(Bluetooth1.setFirstChoice, address)
    case .forgetPhone(let address): call(Bluetooth1.forget, address)
    case .addPhone(let address): call(Bluetooth1.add, address)
    case .findPhones: call(Bluetooth1.find, nil)
    // This call fails if the time for pairing is already over. The failure is not shown.
    case .stopFindingPhones: client.call(Bluetooth1.closePairing) { _ in }

    case .set(let key, let value): call(Settings1.set, SettingChange(key, to: value))
    case .changeTime(let seconds): changeTime(by: seconds)
    case .readVersions:
      client.call(Unit1.getFacts, .version) { [weak self] in
        self?.applyAnswer($0) { $0.apply(versions: $1) }
      }
    case .runChecks: runChecks()
    case .erasePersonalData: call(Unit1.erasePersonalData, ())
    }
  }

  /// Calls a method, and shows a notice if the daemon refuses the call. The result is not used.
  private func call<Arguments, Results>(
    _ method: ControlMethod<Arguments, Results>, _ arguments: Arguments
  ) {
    client.call(method, arguments) { [weak self] in self?.noteRefusal($0) }
  }

  /// Shows a notice if the daemon has refused a command.
  func noteRefusal<Results>(_ result: Result<Results, ControlError>) {
    if case .failure(let error) = result { showRefusal(error.refusal) }
  }

  private func answered(_ result: Result<CommandOutcome, ControlError>) {
    switch result {
    case .success(let outcome) where outcome.answer == .success: break
    case .success(let outcome):
      onLog?(.commandRefused, "\(outcome.answer)")
      showRefusal(outcome.answer.refusal)
    case .failure(.unreachable): break
    case .failure(let error):
      onLog?(.commandRefused, "\(error)")
      showRefusal(error.refusal)
    }
  }

  private func answerPairing(isAccepted: Bool) {
    guard let number = model.takePairingNumber() else { return }
    client.call(isAccepted ? Bluetooth1.acceptPairing : Bluetooth1.rejectPairing, number) {
      [weak self] result in
      // The phone can have cancelled its request in the meantime. So the screen reports a failure only if the user
      // accepted the request.
      if isAccepted, case .failure = result { self?.showNotice(\.pairingFailed) }
    }
  }

  // MARK: The library

  private func ask(_ question: LibraryQuestion, _ number: Int) {
    switch question {
    case .letters(let node, let heading):
      client.call(Library1.getLetters, LettersRequest(.node(node), under: heading)) { [weak self] in
        self?.answered(number, $0.map { .letters($0) })
      }
    case .rows(let request):
      client.call(Library1.getRows, request) { [weak self] in
        self?.answered(number, $0.map { .rows($0.batch) })
      }
    case .recent:
      client.call(Library1.getRecent, RecentReport.limit) { [weak self] in
        self?.answered(number, $0.map { .recent($0) })
      }
    case .search(let request):
      client.call(Library1.search, NumberedSearch(request, number: number)) { [weak self] in
        self?.answered(number, $0.map { .findings($0.found) })
      }
    }
  }

  private func answered(_ number: Int, _ result: Result<LibraryAnswer, ControlError>) {
    send(model.receive((try? result.get()) ?? .failed, number: number))
    paintSoon()
  }

  /// Shows the page of an artist. Shows the album that plays if `name` is nil, or if the library has no artist with
  /// this name.
  private func showArtist(_ name: String?) {
    guard let name else {
      client.call(NowPlaying1.getAlbum) { [weak self] in self?.receiveAlbum($0) }
      return
    }
    client.call(Library1.search, NumberedSearch(SearchRequest(name, kind: .artist, limit: 100))) {
      [weak self] result in
      guard let self else { return }
      let (isFound, requests) = model.receiveArtist(
        (try? result.get().found.rows) ?? [], name: name)
      if isFound {
        send(requests)
        paintSoon()
      } else {
        showArtist(nil)
      }
    }
  }

  private func receiveAlbum(_ result: Result<AlbumReport, ControlError>) {
    guard case .success(let album) = result else { return }
    model.receiveAlbum(
      title: album.title,
      rows: album.items.map {
        var row = MenuRow(
          id: $0.id, .picture(MenuPicture(.note)), $0.title, line: $0.artist)
        row.duration = $0.duration
        return row
      })
    paintSoon()
  }

  // MARK: The queue

  private func ask(_ question: QueuePage.Question, _ number: Int) {
    switch question {
    case .rows(let first, let limit):
      client.call(Library1.getQueue, QueuePart(first: first, limit: limit)) { [weak self] in
        self?.answered(number, $0.map { .rows($0) })
      }
    case .parts(let heading):
      client.call(Library1.getLetters, LettersRequest(.queue, under: heading)) { [weak self] in
        self?.answered(number, $0.map { .parts($0) })
      }
    }
  }

  private func answered(_ number: Int, _ result: Result<QueuePage.Answer, ControlError>) {
    send(model.receive((try? result.get()) ?? .failed, number: number))
    paintSoon()
  }

  /// Edits the queue, and then reads the queue for the page again. The daemon refuses the edit if the queue has changed
  /// in the meantime.
  private func edit<Arguments>(
    _ method: ControlMethod<Arguments, Void>, _ arguments: Arguments,
    then: @escaping () -> Void = {}
  ) {
    client.call(method, arguments) { [weak self] result in
      if case .success = result { then() }
      guard let self else { return }
      noteRefusal(result)
      send(model.pages.refresh())
      paintSoon()
    }
  }

  /// Plays another list. If this replaces the queue, a notice offers to bring the queue back.
  private func replaceQueue<Arguments>(
    _ method: ControlMethod<Arguments, Void>, _ arguments: Arguments
  ) {
    readQueue { [weak self] former in
      self?.client.call(method, arguments) { result in
        self?.noteRefusal(result)
        guard case .success = result else { return }
        self?.offerUndo(.back) {
          // A phone that is chosen does not change the queue.
          $0.revision == former?.revision ? nil : $0.title
        }
      }
    }
  }

  /// Reads the queue with one entry. Passes nil if the daemon does not answer.
  private func readQueue(_ completion: @escaping (QueueReport?) -> Void) {
    client.call(Library1.getQueue, QueuePart(first: 0, limit: 1)) { completion(try? $0.get()) }
  }

  /// Shows a notice that offers *Undo*, with the title of what was done. *Undo* needs the present revision of the
  /// queue, so the queue is read first. Shows no notice if the title is nil.
  private func offerUndo(_ symbol: Symbol, _ title: @escaping (QueueReport) -> String?) {
    readQueue { [weak self] report in
      guard let self, let report, report.canUndo, let title = title(report) else { return }
      model.notices.showUndo(symbol, title, revision: report.revision, model.words, at: .now())
      paintSoon()
    }
  }

  // MARK: The unit

  /// Changes the clock. A change of the minutes sets the seconds to 0, so that the user can set the clock exactly to
  /// another clock.
  private func changeTime(by seconds: Int) {
    // If the answer to the previous press is still pending, this press changes the time that the previous press has
    // requested.
    var new = (wantedTime ?? wallClock.secondsToSet) + seconds
    if seconds % 3600 != 0 { new -= new % 60 }
    wantedTime = new
    client.call(Settings1.setTime, new) { [weak self] in
      if self?.wantedTime == new { self?.wantedTime = nil }
      self?.noteRefusal($0)
      // The clock of the machine has changed, so the clock in the picture is painted again.
      self?.paintSoon()
    }
  }

  private func runChecks() {
    model.report.findings = nil
    client.call(Unit1.getFacts, .storage) { [weak self] in
      self?.applyAnswer($0) { [folder = self?.model.preferences.stateFolder ?? ""] in
        $0.apply(storage: $1, folder: folder)
      }
    }
    model.report.hasFailed = false
    client.call(Unit1.diagnose, .everything) { [weak self] result in
      if case .failure = result { self?.model.report.hasFailed = true }
      self?.applyAnswer(result) { $0.findings = $1.findings }
    }
  }

  /// Applies a part of the report about the unit. If the call has failed, the report does not change.
  private func applyAnswer<Answer>(
    _ result: Result<Answer, ControlError>,
    _ apply: (inout SettingFacts.Report, Answer) -> Void
  ) {
    if case .success(let answer) = result { apply(&model.report, answer) }
    paintSoon()
  }
}
