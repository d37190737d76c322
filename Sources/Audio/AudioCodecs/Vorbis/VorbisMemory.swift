/// The memory that libvorbis 1.3.7 allocates for one stream, in bytes. The number is a sum of terms. The comment of
/// each term names the function and the field of libvorbis.
///
/// The sizes are correct for a 64-bit machine. `long` and pointers take 8 bytes, `int` and `float` take 4 bytes. If
/// `long` takes 4 bytes, the library needs less.
///
/// Freed memory is not subtracted. The library frees a codebook's static part after its decode tables are built, but it
/// is not certain that the allocator can use the gaps.
struct VorbisMemory {
  /// The values of the identification header.
  struct Stream {
    let channels: Int
    /// The number of samples per channel in a short block, and the number in a long block.
    let blockSizes: (Int, Int)

    /// The largest stream that is played.
    static let largest = Stream(channels: 8, blockSizes: (8192, 8192))

    /// Reads the identification header (Vorbis I specification, section 4.2.2).
    /// - Parameter identification: the packet, 30 bytes.
    init(identification: [UInt8]) {
      channels = Int(identification[11])
      let sizes = Int(identification[28])
      blockSizes = (1 << (sizes & 15), 1 << (sizes >> 4))
    }

    private init(channels: Int, blockSizes: (Int, Int)) {
      self.channels = channels
      self.blockSizes = blockSizes
    }
  }

  private let stream: Stream
  /// Bytes that stay allocated, except ``blockStore``.
  private var kept = 0
  /// The maximum number of bytes that are allocated temporarily while the decode tables of one codebook are built.
  private var passing = 0
  /// The maximum number of bytes per channel that a floor takes from the memory of a block, see ``blockStore``.
  private var floorOfBlock = 0

  init(_ stream: Stream) {
    self.stream = stream
    addState()
  }

  /// The maximum number of bytes that are allocated at the same time.
  var total: Int { kept + passing + blockStore }
  var isExceeded: Bool { total > VorbisSetup.maximumTableBytes }

  /// The number of bytes that one `malloc` takes. glibc stores the length in 8 more bytes and rounds up to a multiple
  /// of 16. For large sizes it takes whole pages.
  private static func block(_ bytes: Int) -> Int {
    bytes < 128 << 10 ? max(32, (bytes + 23) & ~15) : (bytes + 16 + 4095) & ~4095
  }

  private mutating func add(_ bytes: Int, times count: Int = 1) {
    kept += Self.block(bytes) * count
  }

  // MARK: The packet

  /// Adds three copies of the set-up packet: the copy of the caller, the copy in ``VorbisHeaders/pages``, and
  /// `ogg_stream_state.body_data` (`_os_body_expand`).
  mutating func addPacket(_ bytes: Int) { add(bytes, times: 3) }

  // MARK: Independent of the set-up header

  private mutating func addState() {
    // `vorbis_info_init`: vorbis_info.codec_setup, a codec_setup_info.
    add(5784)
    // `_vds_shared_init`: vorbis_dsp_state.backend_state, a private_state.
    add(232)
    addTransform(stream.blockSizes.0)
    addTransform(stream.blockSizes.1)
    // `_vds_shared_init`: pcm and pcmret (pointers), and pcm[i] (floats).
    add(8 * stream.channels, times: 2)
    add(4 * stream.blockSizes.1, times: stream.channels)
    // `ogg_stream_init`: body_data, lacing_vals (int) and granule_vals (64 bits); libvorbisfile has a second stream
    // state in `ov_raw_seek`.
    add(16384, times: 2)
    add(4 * 1024, times: 2)
    add(8 * 1024, times: 2)
    // `ogg_sync_buffer`: data, which holds a page and the bytes that are read after the page.
    add(65307 + 2048 + 4096)
  }

  private mutating func addTransform(_ size: Int) {
    // `_vds_shared_init`: private_state.transform[i] (a pointer), and the mdct_lookup to which it points.
    add(8)
    add(32)
    // `mdct_init`: bitrev (size / 4 ints), and trig (size * 5 / 4 floats).
    add(size)
    add(size * 5)
  }

  /// Number of bytes that `_vorbis_block_alloc` returns for one block. `vorbis_synthesis` takes pcm (floats).
  /// `res0_inverse` … `res2_inverse` take partword, at most a pointer per value of half a block. Floors take memory for
  /// the values that they read. `_vorbis_block_ripcord` copies the old memory and the chained pieces to new memory; the
  /// factor 3 is for the old memory, the pieces and the new memory.
  private var blockStore: Int {
    let perChannel = 8 + 4 * stream.blockSizes.1 + 8 * stream.blockSizes.1 / 2 + floorOfBlock
    return 3 * Self.block(perChannel * stream.channels)
  }

  // MARK: Codebooks

  mutating func addCodebook() {
    // `vorbis_staticbook_unpack`: a static_codebook.
    add(72)
    // `_vds_shared_init`: codec_setup_info.fullbooks, an array of codebook.
    kept += 96
  }

  /// `vorbis_staticbook_unpack`: static_codebook.lengthlist, a char per entry.
  mutating func addLengths(entries: Int) { add(entries) }

  /// `vorbis_staticbook_unpack`: static_codebook.quantlist, a long per value.
  mutating func addQuantizedValues(_ values: Int) { add(8 * values) }

  /// `vorbis_book_init_decode`, which allocates nothing for a codebook without codewords.
  mutating func addDecodeTables(words: Int, valuesPerWord: Int) {
    guard words > 0 else { return }
    // codebook.codelist, 32 bits per codeword.
    add(4 * words)
    // `_book_unquantize`: codebook.valuelist, a float per value.
    if valuesPerWord > 0 { add(4 * words * valuesPerWord) }
    // codebook.dec_index, an int per codeword.
    add(4 * words)
    // codebook.dec_codelengths, a char per codeword.
    add(words)
    // codebook.dec_firsttable, 32 bits for each pattern of 5 to 8 bits.
    add(4 << min(max(VorbisCodebook.bitWidth(words) - 4, 5), 8))
    // `_make_words` takes 32 bits per codeword. codep and sortindex, on the stack, take a pointer and an int per
    // codeword. `qsort` sorts a copy of the pointers.
    passing = max(passing, Self.block(4 * words) + (8 + 4) * words + Self.block(8 * words))
  }

  // MARK: Floors, residues, mappings and modes

  /// - Parameter coefficients: the floor's order plus the dimensions of its largest codebook.
  mutating func addFloor0(coefficients: Int) {
    // `floor0_unpack`: a vorbis_info_floor0; private_state.flr, a pointer.
    add(112)
    kept += 8
    // `floor0_look`: a vorbis_look_floor0 and its linearmap, two pointers.
    add(48)
    add(16)
    // `floor0_map_lazy_init`: linearmap[W], an int per value of half a block, and one more int.
    add(4 * (stream.blockSizes.0 / 2 + 1))
    add(4 * (stream.blockSizes.1 / 2 + 1))
    // `floor0_inverse1`: lsp (floats).
    floorOfBlock = max(floorOfBlock, 4 * (coefficients + 1))
  }

  mutating func addFloor1() {
    // `floor1_unpack`: a vorbis_info_floor1; private_state.flr, a pointer.
    add(1120)
    kept += 8
    // `floor1_look`: a vorbis_look_floor1.
    add(1328)
    // `floor1_inverse1`: fit_value, an int for each of at most 65 posts.
    floorOfBlock = max(floorOfBlock, 4 * 65)
  }

  mutating func addResidue() {
    // `res0_unpack`: a vorbis_info_residue0; private_state.residue, a pointer.
    add(2848)
    kept += 8
    // `res0_look`: a vorbis_look_residue0.
    add(80)
  }

  /// `res0_look`: partbooks, a pointer per class, and partbooks[j], a pointer per stage.
  /// - Parameter stages: for each class, the number of stages up to the last stage that the class uses.
  mutating func addStages(_ stages: [Int]) {
    add(8 * stages.count)
    for count in stages where count > 0 { add(8 * count) }
  }

  /// `res0_look`: decodemap, a pointer for each value of the classbook, and decodemap[j], an int per dimension.
  mutating func addClassifications(values: Int, dimensions: Int) {
    add(8 * values)
    add(4 * dimensions, times: values)
  }

  /// `mapping0_unpack`: a vorbis_info_mapping0.
  mutating func addMappings(_ count: Int) { add(3208, times: count) }

  /// `_vorbis_unpack_books`: codec_setup_info.mode_param[i], a vorbis_info_mode.
  mutating func addModes(_ count: Int) { add(16, times: count) }
}
