/// Finds the start of the next link of a chain without reading all bytes before it.
///
/// Each link must have its own serial numbers (RFC 3533, section 4), but files that were joined with `cat` can have the
/// same serial numbers in several links. So the page numbers and the granule positions are compared too, because both
/// start again in the next link.
struct OggBoundarySearch {
  /// A range of at most this size is read page by page, because bisection would not be faster.
  private static let nearBytes: Int64 = 64 * 1024

  private let reader: OggPageReader
  private let link: OggLink
  private let last: OggPageReader.Page
  private let limit: Int64
  /// The last page that is known to belong to the link.
  private var low: Mark
  /// The average page size is computed from the pages between this mark and ``low``.
  private var base: Mark
  /// True after a page was read that does not begin a stream. A later page that begins a stream belongs to the next
  /// link.
  private var sawContent = false

  private struct Mark {
    var offset: Int64
    var number: Int
    var granulePosition: Int64
  }

  /// - Parameter last: the last page of the file.
  init(_ reader: OggPageReader, after link: OggLink, last: OggPageReader.Page) {
    self.reader = reader
    self.link = link
    self.last = last
    limit = reader.cost + DecodingCost.perSearch.bytes
    low = Mark(offset: link.range.lowerBound, number: 0, granulePosition: 0)
    base = low
  }

  /// The start of the next link; nil if there is no next link, or if the search has reached its limit.
  mutating func run() throws(ByteSourceError) -> Int64? {
    let start = link.range.lowerBound
    if let found = try walk(to: start + Self.nearBytes) { return found }
    // The size of the steps doubles as long as the pages seem to belong to the link.
    while low.offset < last.offset, reader.cost < limit {
      let middle = min(low.offset + max(low.offset - start, Self.nearBytes), last.offset)
      guard let page = try page(from: middle, before: .max) else { return nil }
      if seemsToContinue(page) {
        recordPage(page)
        continue
      }
      let high = try bisect(middle)
      let from = low
      if let found = try walk(to: high) { return found }
      // The pages after `from` belong to the link, but they are larger than the pages before `from`. So the average
      // page size is computed from here.
      base = from
    }
    return nil
  }

  /// Call this if the page at `bound` does not seem to belong to the link. Bisects the range before this page, and
  /// returns a smaller bound.
  private mutating func bisect(_ bound: Int64) throws(ByteSourceError) -> Int64 {
    var high = bound
    while high - low.offset > Self.nearBytes, reader.cost < limit {
      let middle = low.offset + (high - low.offset) / 2
      if let page = try page(from: middle, before: high), seemsToContinue(page) {
        recordPage(page)
      } else {
        high = middle
      }
    }
    return high
  }

  /// Reads page by page, up to the first page at or after `bound`. Returns the start of the next link, or nil if it was
  /// not found.
  private mutating func walk(to bound: Int64) throws(ByteSourceError) -> Int64? {
    reader.seek(to: low.offset)
    while let page = try reader.next(cost: limit) {
      if page.beginsStream ? sawContent : !link.serials.contains(page.serial) {
        return page.offset
      }
      if page.serial == link.serial { recordPage(page) }
      sawContent = sawContent || !page.beginsStream
      if page.offset >= bound {
        low.offset = page.offset
        return nil
      }
    }
    low.offset = last.offset
    return nil
  }

  /// The first page from `offset` on that contains sound of the link, begins a stream, or does not belong to the link.
  private func page(from offset: Int64, before bound: Int64) throws(ByteSourceError)
    -> OggPageReader.Page?
  {
    reader.seek(to: offset)
    while let page = try reader.next(before: bound, cost: limit) {
      if page.serial == link.serial || page.beginsStream || !link.serials.contains(page.serial) {
        return page
      }
    }
    return nil
  }

  /// True if `page` can be a page of the link after ``low``. For this, the granule position must not decrease. From
  /// ``low`` to `page`, the page numbers must advance per byte at least half as fast as from ``base`` to ``low``.
  private func seemsToContinue(_ page: OggPageReader.Page) -> Bool {
    guard page.serial == link.serial, !page.beginsStream,
      page.granulePosition < 0 || page.granulePosition >= low.granulePosition
    else { return false }
    let density = Double(low.number - base.number) / Double(max(1, low.offset - base.offset))
    let due = density * Double(page.offset - low.offset) / 2
    return Double(page.number - low.number) >= max(1, due)
  }

  private mutating func recordPage(_ page: OggPageReader.Page) {
    low = Mark(
      offset: page.offset, number: page.number,
      granulePosition: page.granulePosition < 0 ? low.granulePosition : page.granulePosition)
  }
}
