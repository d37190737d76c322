internal import CMalloc

/// The memory that the process allocates.
package enum Heap {
  /// Blocks of this size and above have pages of their own.
  private static let largeBlock: Int32 = 128 << 10

  /// Chooses little memory over the last bit of speed. Call this before other threads start.
  ///
  /// A freed large block goes back to the kernel. Without this setting, glibc keeps blocks of up to 32 MB once one was
  /// freed. All threads use one heap, because each further heap has holes of its own.
  package static func keepSmall() {
    mallopt(M_MMAP_THRESHOLD, largeBlock)
    mallopt(M_ARENA_MAX, 1)
  }
}
