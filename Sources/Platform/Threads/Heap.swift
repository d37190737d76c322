internal import CMalloc

/// Settings of glibc for the memory that the process allocates.
package enum Heap {
  /// Blocks of this size and above get pages of their own.
  private static let largeBlock: Int32 = 128 << 10

  /// Makes the process use less memory, at the cost of a little speed. Call this before other threads start.
  ///
  /// A freed large block is returned to the kernel. Without M_MMAP_THRESHOLD, glibc raises its limit for large blocks
  /// whenever a large block is freed, and then keeps freed blocks of up to 32 MB. All threads use one arena, because
  /// each further arena has unused memory of its own.
  package static func keepSmall() {
    mallopt(M_MMAP_THRESHOLD, largeBlock)
    mallopt(M_ARENA_MAX, 1)
  }
}
