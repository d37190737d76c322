internal import Console
internal import Control
internal import Glibc
internal import NowPlaying
internal import Reports
internal import Threads

// Commands for the unit's storage. Only `data erase` needs the daemon.
extension ControlBackend {
  func storage(
    _ what: ConsoleCommand.Storage, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    switch what {
    case .check:
      guard let report = storageFiles.report else { return answer(.refused(Self.noImage)) }
      answer(.facts(report))
    case .format(let isForced): format(isForced: isForced, answer)
    case .erase:
      client.call(Unit1.erasePersonalData) {
        answer(
          Self.reply($0) {
            .done(
              ConsoleMessage("data-erase", "The machine restarts and erases the personal data."))
          })
      }
    }
  }

  private static let noImage = Refusal(
    .noImage, "This system does not run from an image, so it has no storage to check.")

  private func format(isForced: Bool, _ answer: @escaping (ConsoleReply) -> Void) {
    format = FormatRequest(
      loop, socket: storageFiles.socket, isForced: isForced,
      onProgress: { [weak self] in
        self?.onEvent?(.notice(ConsoleMessage("storage-progress", $0)))
      },
      onEnd: { [weak self] ending in
        switch ending {
        case .success(let text): answer(.done(ConsoleMessage("storage-formatted", text)))
        case .failure(let refusal): answer(.refused(refusal))
        }
        self?.format = nil
      })
    let number = errno
    guard format == nil else { return }
    answer(
      .refused(
        number == ENOENT
          ? Self.noImage
          : Refusal(.helperUnreachable, "\(storageFiles.socket): \(systemWords(number))")))
  }
}
