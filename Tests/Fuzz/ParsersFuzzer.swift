// Fuzz target for the parsers of this project: detection, ID3 skip, FLAC metadata, Ogg probing, tags, pictures, and the
// output of autoharp-controller. The decoders of the libraries are not called. This file is compiled together with
// Sources/Audio/AudioCodecs and Sources/Bluetooth/BluetoothController, so that it can call the internal parsers. If the
// first byte of an input is below `Parser.allCases.count`, the byte selects one parser for the other bytes. Any other
// input is a whole file.

private enum Parser: UInt8, CaseIterable {
  case comments
  case vorbisSetup
  case base64
  case pictureHeader
  case frameHeader
  case loudness
  case flacMetadata
  case oggGuard
  case controllerReading
  case id3
}

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzParsers(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  if let parser = bytes.first.flatMap(Parser.init(rawValue:)) {
    fuzz(parser, Array(bytes.dropFirst()))
  } else {
    fuzzFile(bytes)
  }
  return 0
}

// MARK: Whole files

private func fuzzFile(_ bytes: [UInt8]) {
  let whole = MemoryByteSource(bytes)
  let header = readHeader(whole)
  if let header { check(header, in: whole, size: bytes.count) }

  // The result must not depend on the sizes of the reads.
  var random = FuzzRandom(from: bytes)
  let largestRead = 1 + random.below(300)
  let readInParts = readHeader(FaultyByteSource(bytes, largestRead: largestRead))
  require(readInParts?.metadata == header?.metadata)
  require(readInParts?.streamInfo == header?.streamInfo)
  require(readInParts?.damage == header?.damage)

  // A medium that fails can cause an error, but must cause no crash and no invalid result.
  let failing = FaultyByteSource(
    bytes, largestRead: .max, failsAt: Int64(random.below(bytes.count + 1)))
  if let header = readHeader(failing) { check(header, in: failing, size: bytes.count) }
}

private func readHeader(_ source: any ByteSource) -> AudioFile.Header? {
  do {
    return try AudioFile.header(source)
  } catch {
    require(error.reaction == .refuseFile, "\(error)")
    check(error)
    return nil
  }
}

private func check(_ header: AudioFile.Header, in source: any ByteSource, size: Int) {
  header.damage.forEach(check)
  check(header.metadata, size: size)
  for picture in header.metadata.pictures {
    require(picture.byteCount >= 0)
    do {
      check(try AudioFile.picture(picture, in: source), picture, size: size)
    } catch {
      check(error)
    }
  }
}

/// Reads a picture from its start, and then again from a later byte.
private func check(_ image: any ByteSource, _ picture: PictureReference, size: Int) {
  require(image.size <= picture.byteCount && image.size <= size)
  do {
    let bytes = try image.prefix(at: 0, count: Int(image.size))
    require(bytes.count <= picture.byteCount)
    let rest = try image.prefix(at: Int64(bytes.count / 3), count: bytes.count)
    require(rest == Array(bytes[(bytes.count / 3)...]))
  } catch {
    require(!error.reason.isEmpty)
  }
}

private func check(_ metadata: AudioMetadata, size: Int) {
  let text = metadata.comments.entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  // The texts can be longer than the file: an invalid byte is replaced by U+FFFD, which has three bytes, and in ID3 a
  // short number can stand for the longer name of a genre.
  require(text <= 3 * max(size, TagCollector.maximumTotalBytes))
  require(metadata.pictures.count <= PictureReference.maximumPerStream)
  _ = (metadata.title, metadata.artist, metadata.album, metadata.albumArtist)
  _ = (metadata.trackNumber, metadata.discNumber)
  check(metadata.loudness)
  for picture in metadata.pictures { _ = picture.typeName }
}

private func check(_ error: DecodeError) {
  require(!error.description.isEmpty)
  switch error.location {
  case .byte(let position), .frame(let position): require(position >= 0, "\(error)")
  }
}

private func check(_ loudness: Loudness) {
  // A gain beyond this range would damage ears and loudspeakers.
  for gain in [loudness.trackGain, loudness.albumGain] {
    if let gain { require((-60.0...60.0).contains(gain), "\(gain) dB") }
  }
  for peak in [loudness.trackPeak, loudness.albumPeak] {
    if let peak { require(peak > 0 && peak.isFinite, "\(peak)") }
  }
}

// MARK: Single parsers

private func fuzz(_ parser: Parser, _ bytes: [UInt8]) {
  let size = Int64(bytes.count)
  switch parser {
  case .comments:
    guard let block = try? CommentReader.read(MemoryByteSource(bytes), range: 0..<size) else {
      fatalError("a read from memory failed")
    }
    for text in block.pictureTexts {
      require(text.lowerBound >= 0 && text.upperBound <= size)
    }
    block.damage.forEach(check)
    check(AudioMetadata(comments: block.comments), size: bytes.count)

  case .vorbisSetup:
    _ = VorbisSetup.problem(bytes)
    _ = VorbisSetup.problem([5] + Array("vorbis".utf8) + bytes)

  case .base64:
    let decoded = decodeBase64(bytes)
    require(decoded.count <= bytes.count * 3 / 4)
    let pieces = Base64ByteSource(FaultyByteSource(bytes, largestRead: 1 + bytes.count % 7))
    for start in [0, 1, decoded.count / 2, decoded.count] where start <= decoded.count {
      let read = try? pieces.prefix(at: Int64(start), count: bytes.count)
      require(read == Array(decoded[start...]))
    }

  case .pictureHeader:
    for blockLength in [size, size * 3 / 4, 1 << 40] {
      if let header = PictureHeader(bytes, blockLength: blockLength) {
        require(header.dataOffset <= bytes.count)
        require(Int64(header.dataOffset + header.byteCount) <= blockLength)
      }
    }

  case .frameHeader:
    bytes.withUnsafeBytes { buffer in
      guard let (index, header) = FLACFrameHeader.first(in: buffer) else { return }
      require(FLACFrameHeader(UnsafeRawBufferPointer(rebasing: buffer[index...])) == header)
      require((1...65536).contains(header.blockSize) && (1...8).contains(header.channels))
      require((0...1 << 36).contains(header.number) && header.maximumFrameBytes > 0)
    }

  case .loudness:
    let names = [
      "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK", "REPLAYGAIN_ALBUM_GAIN",
      "REPLAYGAIN_ALBUM_PEAK", "R128_TRACK_GAIN", "R128_ALBUM_GAIN", "TRACKNUMBER", "DISCNUMBER",
      "WAVEFORMATEXTENSIBLE_CHANNEL_MASK",
    ]
    var comments = VorbisComments()
    for (name, value) in zip(names, bytes.split(separator: 0, omittingEmptySubsequences: false)) {
      comments.entries.append(.init(name: name, value: String(decoding: value, as: UTF8.self)))
    }
    check(AudioMetadata(comments: comments), size: .max / 3)

  case .flacMetadata:
    do {
      let blocks = try FLACMetadata(MemoryByteSource(bytes), start: 0)
      blocks.damage.forEach(check)
      check(blocks.metadata, size: bytes.count)
    } catch {
      check(error)
    }

  case .oggGuard:
    fuzzGuard(bytes)

  case .controllerReading:
    guard let reading = try? ControllerReading(text: bytes) else { return }
    require(reading.links.count <= ControllerReading.mostLinks)
    require((try? ControllerReading(text: Array(reading.text.utf8))) == reading, reading.text)

  case .id3: fuzzID3(bytes)
  }
}

private func fuzzID3(_ bytes: [UInt8]) {
  let source = MemoryByteSource(bytes)
  guard let header = try? ID3Tag.Header(source, at: 0), let tag = try? ID3Tag(source, header) else {
    return
  }
  require(header.end >= header.range.upperBound && header.range.upperBound <= bytes.count)
  check(AudioMetadata(comments: tag.comments, pictures: tag.pictures), size: bytes.count)
  for picture in tag.pictures {
    guard let image = try? AudioFile.picture(picture, in: source),
      let read = try? image.prefix(at: 0, count: bytes.count)
    else { fatalError("a read from memory failed") }
    require(read.count <= picture.byteCount && read.count <= bytes.count)
    // A read that begins at a later byte must return the same bytes.
    let rest = try? image.prefix(at: Int64(read.count / 3), count: bytes.count)
    require(rest == Array(read[(read.count / 3)...]))
  }
}

/// Reads through `GuardedOggReader` in parts and seeks, as libvorbisfile does. The input decides the sizes and the
/// positions.
private func fuzzGuard(_ bytes: [UInt8]) {
  guard !bytes.isEmpty else { return }
  var random = FuzzRandom(from: bytes)
  let headers = Array(bytes.prefix(random.below(100)))
  let end = Int64(headers.count + bytes.count)
  let reader = GuardedOggReader(
    MemoryByteSource(bytes), headers: headers, range: Int64(random.below(2))..<Int64(bytes.count))
  withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
    guard let base = buffer.baseAddress else { return }
    var left = 64 + 2 * bytes.count
    for _ in 0..<4 {
      while let read = reader.read(into: base, count: 1 + random.below(4096)), read > 0 {
        require(read <= 4096 && reader.position <= end)
        left -= read
        if left < 0 { break }
      }
      require(reader.count >= 0 && reader.count <= end)
      require(reader.end <= Int64(bytes.count))
      if let failure = reader.failure { check(failure) }
      reader.seek(to: Int64(random.below(Int(end) + 2)))
    }
  }
}
