internal import Reports

// Music and state.
extension UnitFacts {
  var music: FactsReport.Section {
    var facts: [FactsReport.Fact] = snapshot.machine.folders.map {
      switch $0.state {
      case .present: volume($0.path) ?? .init($0.path, "present", .good)
      case .missing: .init($0.path, "missing", .note)
      case .silent: .init($0.path, "does not answer", .bad)
      }
    }
    facts += volumes + files + cutTags
    return .init("music", facts)
  }

  /// The rows about the music files. There is a single row if there is no problem.
  private var files: [FactsReport.Fact] {
    var facts: [FactsReport.Fact] = []
    let music = snapshot.music
    let count = music.count
    if music.isSearching {
      facts.append(.init("files", "\(count) so far; folders are being read", .note))
    } else {
      facts.append(.init("files", "\(count)", count == 0 ? .bad : .good))
    }
    if let lost = music.lostPath { facts.append(.init("gone", lost, .bad)) }
    let unplayable = music.unplayable.count
    if unplayable > 0 {
      // One line of 80 characters has no room for the formats and for `see 'log'`.
      let why = music.volumes.total.summary.map { ": \($0)" } ?? "; see 'log'"
      facts.append(.init("cannot be played", "\(unplayable)\(why)", .note))
    }
    return facts
  }

  /// One row per stick.
  private var volumes: [FactsReport.Fact] {
    let folders = snapshot.machine.folders.map(\.path)
    return snapshot.music.volumes.found.map(\.volume.path).filter { !folders.contains($0) }
      .compactMap(volume)
  }

  /// The numbers of files on a volume. Nil for a music folder whose files can all be played.
  private func volume(_ path: String) -> FactsReport.Fact? {
    guard
      let (volume, count) = snapshot.music.volumes.found.first(where: { $0.volume.path == path }),
      volume.isStick || count.unplayable > 0
    else { return nil }
    let name = volume.path.hasSuffix("/\(volume.name)") ? "" : "\(volume.name): "
    let playable = "\(name)\(MusicVolumes.files(count.playable))"
    guard count.unplayable > 0 else {
      return .init(path, playable, count.playable == 0 ? .bad : .good)
    }
    return .init(
      path, "\(playable); \(count.unplayable) cannot be played: \(count.details)",
      count.playable == 0 ? .bad : .note)
  }

  private var cutTags: [FactsReport.Fact] {
    let count = snapshot.music.cutTagValues
    return count == 0 ? [] : [.init("long tags", "\(count) were shortened or left out", .note)]
  }

  /// The section about music and state in `status`.
  var summary: FactsReport.Section {
    .init("music and state", files + [saved] + storage)
  }

  /// One row per notice. There is no row if the storage has no fault.
  private var storage: [FactsReport.Fact] {
    FactsReport.numbered(
      snapshot.storage.notices.map {
        .init($0.isAboutStick ? "stick" : "storage", $0.sentence, $0.grade)
      })
  }

  private var saved: FactsReport.Fact {
    let isSaving = snapshot.storage.saving.failure == nil
    return .init(
      "saved", isSaving ? "in \(snapshot.storage.stateFolder)" : "no; see 'diagnose'",
      isSaving ? .good : .bad)
  }

  var state: FactsReport.Section { .init("state", [saved] + storage) }

  var fileSystems: [FactsReport.Section] {
    [
      .init(
        "file systems",
        snapshot.machine.fileSystems.map { system in
          guard let space = system.space else {
            return .init(system.point, "\(system.kind), does not answer", .bad)
          }
          let (free, size) = (Self.megabytes(space.free), Self.megabytes(space.size))
          return .init(system.point, "\(system.kind), \(free) of \(size) free")
        })
    ]
  }
}
