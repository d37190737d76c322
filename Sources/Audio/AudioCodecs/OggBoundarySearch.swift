/// Finds the start of the next link of a chain without reading all bytes before it.
///
/// Each link should have its own serial numbers (RFC 3533, section 4), but files that were joined
/// with `cat` may repeat them. So the page numbers and the granule positions are compared too. In
/// the next link both start again.
struct OggBoundarySearch {
  /// A range of this size is read page by page, because bisection would not be faster.
  private static let nearBytes: Int64 = 64 * 1024

  private let reader: OggPageReader
  private let link: OggLink
  private let last: OggPageReader.Page
  private let limit: Int64
  /// The last page that is known to belong to the link.
  private var low: Mark
  /// The mark from which the average page size is computed, up to ``low``.
  private var base: Mark
  /// True after a page of the link was seen that begins no stream. After that, a page that begins a
  /// stream belongs to the next link.
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

  /// The start of the next link; nil if there is none, or if finding it would cost too much.
  mutating func run() throws(ByteSourceError) -> Int64? {
    let start = link.range.lowerBound
    if let found = try walk(to: start + Self.nearBytes) { return found }
    // In steps that double, while the pages seem to belong to the link.
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
      // These pages belong to the link, but are larger than the pages before.
      base = from
    }
    return nil
  }

  /// Narrows the step before `bound`, where a page does not seem to belong to the link.
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

  /// Reads page by page, up to the first page at or after `bound`.
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

  /// The first page from `offset` on that belongs to the link's sound, or to none of its streams.
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

  /// True if `page` may follow the last page of the link. The page numbers must have advanced at
  /// least half as much per byte as before, and the granule position must not decrease.
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
