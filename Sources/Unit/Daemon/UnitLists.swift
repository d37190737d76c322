internal import Control
internal import LibraryModel
internal import NowPlaying
internal import Reports
internal import UnitState

/// All lists of the unit: those of the library, and the playlists of the unit itself. The latter do not need
/// the library.
///
/// Used on the control thread; no call blocks.
final class UnitLists {
  let playlists: UnitPlaylists
  /// The library; nil if the unit runs without it.
  var library: () -> UnitLibrary? = { nil }
  var onState: ((LibraryState) -> Void)? {
    didSet {
      library()?.onState = onState.map { _ in { [weak self] _ in self?.changed() } }
    }
  }

  init(_ playlists: UnitPlaylists) { self.playlists = playlists }

  /// Tells the clients that the lists have changed.
  func changed() { onState?(state) }

  /// The songs of a list, in the order in which they play.
  ///
  /// - Parameters:
  ///   - row: the chosen row; nil for the whole list.
  ///   - isAlone: true for the chosen song alone.
  ///   - seed: see ``TracksRequest/seed``.
  ///   - take: called with each part of the songs when it arrives. If `isFirst` is true, the parts before do not count.
  ///   - completion: called at the end, with a page without songs.
  func songs(
    _ list: TrackList, row: RowReference?, isAlone: Bool, seed: UInt64 = 0,
    take: @escaping ([LibraryTrack], _ isFirst: Bool) -> Void,
    completion: @escaping (UnitLibrary.Songs) -> Void
  ) {
    if case .own(let id)? = row?.node {
      return playlists.songs(id, chosen: nil, isAlone: false, take: take, completion: completion)
    }
    if case .node(.own(let id)) = list {
      return playlists.songs(id, chosen: row, isAlone: isAlone, take: take, completion: completion)
    }
    guard let library = library() else { return completion(.failure(.off)) }
    library.songs(
      TracksRequest(isAlone ? .rowAlone : list, row: row, seed: seed), take: take,
      completion: completion)
  }
}

extension UnitLists: ControlledLibrary {
  var state: LibraryState {
    var state = library()?.state ?? LibraryState()
    state.revision += Int64(playlists.revision)
    return state
  }

  func page(
    _ request: PageRequest, completion: @escaping (Result<LibraryPage, LibraryFailure>) -> Void
  ) {
    if case .own(let id) = request.node {
      return playlists.page(id, request, completion: completion)
    }
    guard request.node == .playlists else { return libraryPage(request, completion) }
    playlists.whenLoaded { [weak self] in self?.playlistsPage(request, completion) }
  }

  private func playlistsPage(
    _ request: PageRequest,
    _ completion: @escaping (Result<LibraryPage, LibraryFailure>) -> Void
  ) {
    if let heading = request.heading {
      guard OwnListHeading.isOwn(heading) else { return libraryPage(request, completion) }
      let rows = playlists.rows.filter { OwnListHeading.covers(heading, $0.name) }
      let pages = OwnListPages(rows, cursor: request.cursor, limit: request.limit)
      return completion(.success(pages.page(LibraryPage())))
    }
    let pages = OwnListPages(playlists.rows, cursor: request.cursor, limit: request.limit)
    libraryPage(pages.request) { result in
      switch result {
      case .success(let page): completion(.success(pages.page(page)))
      case .failure(.unavailable) where !pages.needsLibrary,
        .failure(.off) where !pages.needsLibrary:
        completion(.success(pages.page(LibraryPage())))
      case .failure: completion(result)
      }
    }
  }

  private func libraryPage(
    _ request: PageRequest,
    _ completion: @escaping (Result<LibraryPage, LibraryFailure>) -> Void
  ) {
    guard let library = library() else { return completion(.failure(.off)) }
    library.page(request, completion: completion)
  }

  func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    // The songs of a list have an order of their own.
    if case .own = node { return completion(.success([])) }
    guard node == .playlists else { return libraryLetters(node, heading, [], completion) }
    playlists.whenLoaded { [weak self] in self?.playlistLetters(heading, completion) }
  }

  private func playlistLetters(
    _ heading: String?, _ completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    let names = playlists.index.lists.map(\.name)
    if let heading, OwnListHeading.isOwn(heading) {
      return completion(.success(OwnListHeading.groups(names, under: heading)))
    }
    let own =
      heading == nil ? [LetterGroup(heading: OwnListHeading.all, count: names.count)] : []
    libraryLetters(.playlists, heading, own, completion)
  }

  /// - Parameter own: the headings that come first, also without the library.
  private func libraryLetters(
    _ node: LibraryNode, _ heading: String?, _ own: [LetterGroup],
    _ completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    guard let library = library() else {
      return completion(own.isEmpty ? .failure(.off) : .success(own))
    }
    library.letters(of: node, under: heading) { result in
      if case .failure(.unavailable) = result, !own.isEmpty { return completion(.success(own)) }
      completion(result.map { own + $0 })
    }
  }

  func find(
    _ request: SearchRequest,
    completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void
  ) {
    playlists.whenLoaded { [weak self] in self?.findAll(request, completion) }
  }

  private func findAll(
    _ request: SearchRequest,
    _ completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void
  ) {
    let own = found(request)
    guard let library = library() else {
      let isRefused = own.isEmpty && request.kind != .playlist
      return completion(isRefused ? .failure(.off) : .success(merged(own, .init(), request)))
    }
    library.find(request) { [weak self] result in
      guard let self else { return }
      if case .failure(.unavailable) = result, !own.isEmpty {
        return completion(.success(merged(own, LibraryFindings(), request)))
      }
      completion(result.map { self.merged(own, $0, request) })
    }
  }

  private func found(_ request: SearchRequest) -> [LibraryRow] {
    guard request.kind == nil || request.kind == .playlist else { return [] }
    let query = OwnListQuery(request)
    return playlists.rows.filter { query.matches($0.name) }.map(\.row)
  }

  /// The number of playlists in an answer with all kinds.
  private static let fewRows = 3

  /// The lists of the unit come before the playlists of the library.
  private func merged(
    _ own: [LibraryRow], _ found: LibraryFindings, _ request: SearchRequest
  ) -> LibraryFindings {
    guard !own.isEmpty else { return found }
    let limit = request.kind == nil ? Self.fewRows : min(max(request.limit, 1), 100)
    let others = found.rows.filter { $0.kind == .playlist }
    var merged = found
    let rows = own + others
    if rows.count > limit { merged.more.insert(.playlist) }
    let start = found.rows.firstIndex { $0.kind == .playlist || $0.kind == .folder }
    merged.rows.removeAll { $0.kind == .playlist }
    merged.rows.insert(
      contentsOf: rows.prefix(limit), at: min(start ?? merged.rows.count, merged.rows.count))
    return merged
  }

  func thumbnail(
    of row: RowReference, completion: @escaping (Result<[UInt8], LibraryFailure>) -> Void
  ) {
    if case .own? = row.node { return completion(.success([])) }
    guard let library = library() else { return completion(.failure(.off)) }
    library.thumbnail(of: row, completion: completion)
  }

  func rescan(_ source: String) -> Refusal? { withLibrary { $0.rescan(source) } }
  func readAnew(_ source: String) -> Refusal? { withLibrary { $0.readAnew(source) } }
  func forget(_ source: String) -> Refusal? { withLibrary { $0.forget(source) } }

  private func withLibrary(_ body: (UnitLibrary) -> Refusal?) -> Refusal? {
    guard let library = library() else { return Refusal(.off) }
    return body(library)
  }
}
