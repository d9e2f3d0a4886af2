#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace perslay::io {

/// Bytes that come block by block.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  /// The next bytes, at least one, until the next call; none at the end. Throws the user's error if they cannot be
  /// had.
  [[nodiscard]] virtual std::string_view next() = 0;
};

/// Shows the first bytes before they are taken.
class PeekedStream final : public Stream {
 public:
  explicit PeekedStream(std::unique_ptr<Stream> inner) : inner_(std::move(inner)), first_(inner_->next()) {}
  /// Until the second block is taken.
  [[nodiscard]] std::string_view first() const noexcept { return first_; }
  [[nodiscard]] std::string_view next() override {
    return std::exchange(waiting_, false) ? first_ : inner_->next();
  }

 private:
  std::unique_ptr<Stream> inner_;
  std::string_view first_;
  bool waiting_ = true;
};

/// The bytes of a file.
[[nodiscard]] std::unique_ptr<Stream> file_stream(const std::filesystem::path& path);

/// The bytes that `packed`, the content of the file called `path`, was compressed from, or the same bytes if it is
/// not compressed. The first bytes tell: gzip, bzip2, xz, lzma, zstd, lz4 and compress are known. Checksums and
/// lengths are compared to the end of the file, as far as the format has any, and nothing may follow the end of the
/// compressed data.
[[nodiscard]] std::unique_ptr<Stream> unpacked_stream(std::unique_ptr<PeekedStream> packed,
                                                      const std::filesystem::path& path);

}  // namespace perslay::io
