// What sanitizers do not report of HDF5 1.10 on damaged files: it loses memory, reads beyond its own buffers where the
// size of a chunk is damaged, and asks for any number of bytes.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }
extern "C" const char* __asan_default_suppressions() { return "interceptor_via_lib:libhdf5\n"; }
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_suppressions() { return "race:H5VM_memcpyvv\n"; }
