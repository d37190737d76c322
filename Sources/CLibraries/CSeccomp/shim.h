#pragma once
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Swift does not import macros that contain a function or a cast.
static inline uint32_t scmp_errno(int code) { return SCMP_ACT_ERRNO(code); }
static inline uint32_t scmp_kill(void) { return SCMP_ACT_KILL_PROCESS; }
static inline uint32_t scmp_allow(void) { return SCMP_ACT_ALLOW; }

// A condition for the lower 32 bits of an argument of type int. The kernel ignores the upper bits.
static inline struct scmp_arg_cmp scmp_is(unsigned argument, uint32_t mask, uint32_t value) {
  const struct scmp_arg_cmp result = {argument, SCMP_CMP_MASKED_EQ, mask, value};
  return result;
}

// prctl has variable arguments, which Swift does not import.
static inline int scmp_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal); }

// Takes the resource as an int, because setrlimit requires glibc's enum type.
static inline int scmp_limit(int resource, uint64_t value) {
  const struct rlimit limit = {value, value};
  return setrlimit((__rlimit_resource_t)resource, &limit);
}
