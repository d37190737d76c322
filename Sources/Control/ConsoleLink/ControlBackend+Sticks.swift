internal import Console
internal import Control
internal import Glibc
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Commands for sticks. They need no daemon.
extension ControlBackend {
  func perform(_ command: ConsoleCommand.Stick, _ answer: @escaping Answer) {
    labels { [weak self] labels in
      guard let self else { return }
      do throws(Refusal) {
        switch command {
        case .test(let name):
          let stick = try stick(name, labels)
          onEvent?(
            .notice(
              ConsoleMessage(
                "stick-test", "Reading \(stick.device) for at most 10 s; Ctrl-C ends it.")))
          work = StickTest(
            loop, name: stick.device, folder: stick.folder, time: machine.stickTime
          ) { answer(.facts($0)) }
        case .remount(let name):
          restart("stick@\(try stick(name, labels).device).service", answer)
        case .report(let name):
          writeReport(to: try stick(name, labels), labels, answer)
        }
      } catch {
        answer(.refused(error))
      }
    }
  }

  /// The names of the mounted sticks by their folders. Only the daemon knows the names.
  private func labels(_ completion: @escaping ([String: String]) -> Void) {
    guard client.state == .connected else { return completion([:]) }
    client.libraryState { result in
      var labels: [String: String] = [:]
      if case .success(let state) = result {
        for volume in state.volumes { volume.path.map { labels[$0] = volume.report.label } }
      }
      completion(labels)
    }
  }

  /// The stick with this name, device or folder. Nil for the only stick.
  private func stick(_ name: String?, _ labels: [String: String]) throws(Refusal) -> MountedStick {
    guard let name else { return try onlyStick() }
    let sticks = MountedSticks(files: machine).all
    let wanted = name.lowercased()
    let found = sticks.filter {
      [$0.device, "/dev/\($0.device)", $0.folder, $0.folderName, labels[$0.folder] ?? ""]
        .contains { $0.lowercased() == wanted }
    }
    if found.count == 1 { return found[0] }
    let present = sticks.map(\.device).joined(separator: ", ")
    throw Refusal(
      .noSuchStick,
      found.isEmpty ? "no stick '\(name)' is mounted" : "several sticks have the name '\(name)'",
      remedy: present.isEmpty ? "no stick is mounted at all" : "mounted: \(present)")
  }

  /// The stick that is meant if the user names none.
  private func onlyStick() throws(Refusal) -> MountedStick {
    let sticks = MountedSticks(files: machine).all
    if sticks.count == 1 { return sticks[0] }
    throw sticks.isEmpty
      ? Refusal(
        .noSuchStick, "no stick is mounted",
        remedy: "plug in a stick with FAT or exFAT; 'diagnose stick' says why a stick is missing")
      : Refusal(
        .noSuchStick, "several sticks are mounted",
        remedy: "name one of them: \(sticks.map(\.device).joined(separator: ", "))")
  }

  // MARK: The report

  /// The reason for which the console does not even ask whether to write the report. Only the daemon knows the names of
  /// sticks, so a wrong name is noticed later.
  func obstacleToReport(onStick name: String?) -> Refusal? {
    guard storageFiles.isOfImage else { return .unreachable(machine.reportSocket, ENOENT) }
    guard name == nil else { return nil }
    do throws(Refusal) {
      _ = try onlyStick()
      return nil
    } catch {
      return error
    }
  }

  /// Collects the report, and lets the helper write it.
  private func writeReport(
    to stick: MountedStick, _ labels: [String: String], _ answer: @escaping Answer
  ) {
    let label = labels[stick.folder] ?? ""
    let name = label.isEmpty ? stick.device : label
    onEvent?(
      .notice(
        ConsoleMessage(
          "report-begun", "Collecting the report for \(name). This takes up to a minute.")))
    report { [weak self] report in
      guard let self else { return }
      let file = report.file
      exchange(
        machine.reportSocket, "write \(stick.device) \(file.bytes.count)", file.bytes,
        within: machine.reportTime
      ) { result in
        do throws(Refusal) {
          let done = try HelperResult(result.get(), "stick-report")
          answer(
            .done(
              ConsoleMessage(
                "report-written",
                "The report is in \(done.text) on \(name). It has \(file.lines) lines and the "
                  + "checksum \(file.checksum).")))
        } catch {
          answer(.refused(error))
        }
      }
    }
  }
}
