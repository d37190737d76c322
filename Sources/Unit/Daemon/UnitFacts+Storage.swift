internal import Reports

// Music and state.
extension UnitFacts {
  var music: FactsReport.Section {
    var facts: [FactsReport.Fact] = snapshot.machine.folders.map {
      switch $0.state {
      case .present: .init($0.path, "present", .good)
      case .missing: .init($0.path, "missing", .note)
      case .silent: .init($0.path, "does not answer", .bad)
      }
    }
    facts += files + cutTags
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
      facts.append(.init("cannot be played", "\(unplayable); see 'log'", .note))
    }
    return facts
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
