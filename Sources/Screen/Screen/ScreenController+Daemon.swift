internal import Control
internal import NowPlaying
internal import Reports
internal import ScreenDisplay
internal import ScreenLayout
internal import SystemClock

// Messages from the daemon, and requests to it.
extension ScreenController {
  func daemonChanged() {
    if client.state == .connected {
      // After a hang of the daemon, the connection still exists, and the daemon does not send its
      // state again. So the screen shows the old state again. After a lost connection, the daemon
      // counts as available only when it has sent its state.
      if isHanging {
        if model.state != nil { model.setPresent() }
        if let phones = client.phones { sendRequests(model.receive(phones, at: .now())) }
        // The questions of that time have failed.
        sendRequests(model.pages.refresh())
      }
      isHanging = false
    } else {
      if case .hangs = client.state { isHanging = true } else { isHanging = false }
      model.setAway(at: .now())
      buttonPictures.forget()
      if let finding = client.state.finding { onLog?(.daemonUnavailable, finding) }
    }
    paintSoon()
  }

  func receive(_ state: NowPlayingState) {
    model.setPresent()
    sendRequests(model.receive(state, at: .now()))
    requestCover()
    requestButtonPictures()
    report.stateArrived()
    paintSoon()
  }

  /// Sends the requests of the model to the daemon.
  func sendRequests(_ requests: [ScreenPages.Request]) {
    for request in requests {
      switch request {
      case .command(.command(let command), let isSilent):
        client.call(Commands1.send, SentCommand(command)) { [weak self] result in
          if !isSilent { self?.answered(result) }
        }
      case .command: break
      case .askLibrary(let number, let question): ask(question, number)
      case .playList(let list, let row, let mode):
        client.call(Library1.play, PlayRequest(list, row: row, mode)) { [weak self] in
          self?.noteRefusal($0)
        }
      case .playItem(let id):
        client.call(Commands1.playQueueItem, id) { [weak self] in self?.noteRefusal($0) }
      case .artist(let name): showArtist(name)
      case .chooseSource(let source):
        client.call(Sources1.choose, source) { [weak self] in self?.noteRefusal($0) }
      case .phone(let address, let command): send(command, to: address)
      case .askQueue(let number, let question): ask(question, number)
      case .editQueue(let edit, let revision): send(edit, revision)
      case .setting(let request): send(request)
      case .source(let id, .readAnew):
        client.call(Sources1.readAnew, id) { [weak self] in self?.noteRefusal($0) }
      case .source(let id, .forget):
        client.call(Sources1.forget, id) { [weak self] in self?.noteRefusal($0) }
      case .answerPairing(let isAccepted):
        guard let number = model.takePairingNumber() else { break }
        client.call(isAccepted ? Bluetooth1.acceptPairing : Bluetooth1.rejectPairing, number) {
          [weak self] result in
          // The phone may have cancelled its request in the meantime. So the screen reports a
          // failure only if the user accepted the request.
          if isAccepted, case .failure = result { self?.showNotice(\.pairingFailed) }
        }
      case .endSafeMode: client.call(Unit1.endSafeMode) { [weak self] in self?.noteRefusal($0) }
      case .pairPhone:
        client.call(Bluetooth1.openPairing, nil) { [weak self] result in
          switch result {
          case .success: self?.showNotice(\.pairingOpen, .bluetooth)
          case .failure(let error): self?.showRefusal(error.refusal)
          }
        }
      }
    }
  }

  private func send(_ command: ScreenPages.PhoneCommand, to address: String) {
    switch command {
    case .connect:
      client.call(Bluetooth1.connect, address) { [weak self] in self?.noteRefusal($0.map { _ in }) }
    case .disconnect:
      client.call(Bluetooth1.disconnect, address) { [weak self] in self?.noteRefusal($0) }
    case .setFirstChoice:
      client.call(Bluetooth1.setFirstChoice, address) { [weak self] in self?.noteRefusal($0) }
    case .forget: client.call(Bluetooth1.forget, address) { [weak self] in self?.noteRefusal($0) }
    case .add:
      client.call(Bluetooth1.add, address) { [weak self] in self?.noteRefusal($0.map { _ in }) }
    case .find: client.call(Bluetooth1.find, nil) { [weak self] in self?.noteRefusal($0) }
    // The time for pairing may be over already.
    case .stopFinding: client.call(Bluetooth1.closePairing) { _ in }
    }
  }

  /// Shows a notice if the daemon has refused a command.
  func noteRefusal(_ result: Result<Void, ControlError>) {
    if case .failure(let error) = result { showRefusal(error.refusal) }
  }

  func receiveAlbum(_ result: Result<AlbumReport, ControlError>) {
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

  func receive(_ phones: PhonesState) {
    sendRequests(model.receive(phones, at: .now()))
    paintSoon()
  }

  func receive(_ notice: UnitNotice) {
    let words = model.words
    let (text, symbol): (String, Symbol) =
      switch notice.kind {
      case .mediumGone: (words.notices.stickRemoved, .stick)
      case .mediumSilent: (words.notices.stickSilent, .stick)
      case .mediumUnsupported: (words.notices.stickUnsupported(notice.about), .stick)
      case .mediumUnformatted: (words.notices.stickUnformatted, .stick)
      case .mediumDamaged: (words.notices.stickDamaged, .stick)
      case .outputGone: (words.notices.outputGone, .mute)
      case .outputBack: (words.notices.outputBack, .volume)
      case .cannotPlay:
        (words.notices.cannotPlay(notice.about.isEmpty ? words.untitled : notice.about), .warning)
      case .listFailed: (words.notices.listFailed, .warning)
      case .filesUnplayable:
        (words.notices.unplayable(notice.files?.count ?? 0, notice.files?.formats ?? []), .stick)
      case .stickReady: (words.notices.stickReady(notice.about), .stick)
      case .phoneAbsent: (words.notices.phoneAbsent(notice.about), .bluetooth)
      case .phoneAwaited: (words.notices.phoneAwaited(notice.about), .bluetooth)
      case .noMusic: (words.notices.noMusic(notice.about), .stick)
      case .safeMode: (words.notices.safeMode, .warning)
      case .storageChecking: (words.notices.storageCheck, .warning)
      case .storageChecked: (words.notices.storageOK, .warning)
      case .storageRepaired: (words.notices.storageRepaired, .warning)
      case .dataErased: (words.notices.dataErased, .info)
      case .dataNotErased: (words.notices.dataNotErased, .warning)
      case .storageReadOnly, .storageMissing: (words.notices.storageError, .warning)
      case .configurationWrong: (words.notices.configurationWrong(notice.about), .warning)
      }
    switch notice.kind {
    case .safeMode:
      model.notices.showStanding(symbol, text, touch: .endSafeMode, at: .now())
    case _ where notice.isStanding: model.notices.showStanding(symbol, text, at: .now())
    // The medium stays as it is, so this notice can wait.
    case .filesUnplayable, .noMusic, .mediumUnsupported, .mediumUnformatted, .mediumDamaged,
      .configurationWrong:
      model.notices.showLater(symbol, text, at: painter != nil && display.isReady ? .now() : nil)
    case .mediumGone:
      model.notices.dropLaterNoticesOfMedia()
      model.notices.show(symbol, text, at: .now())
    default: model.notices.show(symbol, text, at: .now())
    }
    paintSoon()
  }

  func answered(_ result: Result<CommandOutcome, ControlError>) {
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

  private func showRefusal(_ refusal: Refusal?) {
    model.notices.show(.warning, model.words.notices.text(of: refusal?.code), at: .now())
    paintSoon()
  }

  /// Shows one of the notices.
  func showNotice(_ text: KeyPath<LocalizedWords.Notices, String>, _ symbol: Symbol = .warning) {
    model.notices.show(symbol, model.words.notices[keyPath: text], at: .now())
    paintSoon()
  }
}
