#include "stream.h"

#include "archive_reader.h"
#include "text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include <zlib.h>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;

/// `reason` begins with ": ", or is empty.
[[noreturn]] void fail_damaged(const fs::path& path, std::string_view reason) {
  refuse("{} is damaged or cut short{}.", path.string(), reason);
}

class FileStream final : public Stream {
 public:
  explicit FileStream(const fs::path& path)
      : path_(path), file_(std::fopen(path.c_str(), "rb")), buffer_(block_size) {
    if (!file_) fail();
  }
  std::string_view next() override {
    const std::size_t got = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0) fail();
    return {buffer_.data(), got};
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail() const { refuse("{} cannot be read: {}.", path_.string(), std::strerror(errno)); }

  fs::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
};

// ---- gzip

/// By zlib, which compares checksum and length; libarchive skips them.
class GzipStream final : public Stream {
 public:
  GzipStream(std::unique_ptr<Stream> packed, fs::path path)
      : packed_(std::move(packed)), path_(std::move(path)), buffer_(block_size) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&state_, gzip_only) != Z_OK) throw base::internal_error("No memory to read an archive.");
  }
  ~GzipStream() override { inflateEnd(&state_); }

  std::string_view next() override {
    state_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    state_.avail_out = static_cast<uInt>(buffer_.size());
    while (state_.avail_out == buffer_.size()) {
      const bool more = state_.avail_in > 0 || refill();
      if (at_boundary_) {
        if (!more) return {};
        start_next_member();
      }
      if (!more) fail_damaged(path_, ": the gzip data have no end");
      const int result = inflate(&state_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END)
        fail_damaged(path_, fmt::format(": gzip: {}", state_.msg != nullptr ? state_.msg : zError(result)));
      at_boundary_ = result == Z_STREAM_END;
    }
    return {buffer_.data(), buffer_.size() - state_.avail_out};
  }

 private:
  bool refill() {
    const std::string_view got = packed_->next();
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(got.data()));
    state_.avail_in = static_cast<uInt>(got.size());
    return !got.empty();
  }
  /// Several members, one after the other, stand for their contents one after the other.
  void start_next_member() {
    if (*state_.next_in != 0x1f) fail_damaged(path_, ": something follows the end of the gzip data");
    inflateReset(&state_);
    at_boundary_ = false;
  }

  std::unique_ptr<Stream> packed_;
  fs::path path_;
  std::vector<char> buffer_;
  z_stream state_{};
  bool at_boundary_ = false;
};

// ---- everything else

/// What libarchive takes off a file that is no archive for it.
class FilteredStream final : public Stream {
 public:
  FilteredStream(std::unique_ptr<Stream> packed, fs::path path)
      : source_(std::move(packed)), path_(std::move(path)), reader_(new_reader()) {
    for (const auto support :
         {archive_read_support_filter_bzip2, archive_read_support_filter_xz, archive_read_support_filter_lzma,
          archive_read_support_filter_zstd, archive_read_support_filter_lz4,
          archive_read_support_filter_compress, archive_read_support_format_raw})
      support(reader_.get());
    archive_entry* entry = nullptr;
    if (source_.open(reader_.get()) != ARCHIVE_OK ||
        archive_read_next_header(reader_.get(), &entry) != ARCHIVE_OK)
      fail();
  }

  std::string_view next() override {
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int result = archive_read_data_block(reader_.get(), &data, &size, &offset);
    if (result == ARCHIVE_OK) return {static_cast<const char*>(data), size};
    if (result != ARCHIVE_EOF) fail();
    if (archive_filter_bytes(reader_.get(), -1) != source_.drain())
      fail_damaged(path_, fmt::format(": something follows the end of the {} data",
                                      archive_filter_name(reader_.get(), 0)));
    return {};
  }

 private:
  [[noreturn]] void fail() {
    source_.rethrow();
    fail_damaged(path_, reason(reader_.get()));
  }

  ArchiveSource source_;
  fs::path path_;
  ArchiveReader reader_;
};

}  // namespace

std::unique_ptr<Stream> file_stream(const fs::path& path) { return std::make_unique<FileStream>(path); }

std::unique_ptr<Stream> unpacked_stream(std::unique_ptr<PeekedStream> packed, const fs::path& path) {
  if (packed->first().starts_with("\x1f\x8b")) return std::make_unique<GzipStream>(std::move(packed), path);
  return std::make_unique<FilteredStream>(std::move(packed), path);
}

}  // namespace perslay::io
