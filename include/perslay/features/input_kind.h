#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/registry.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/features/items.h>
#include <perslay/io/diagram_file.h>

/// What a dataset may consist of: graphs, point clouds, diagrams. All that is particular to one of them as an
/// input is in its InputKind and its Dataset; nothing else asks which kind it has. docs/how-to-add.md says how
/// to add one.
namespace perslay::features {

struct LoadRequest;
struct InputKind;

/// How files are read.
struct ReadOptions {
  bool one_based = false;  ///< Edge lists: vertices are numbered from 1.
  /// Edge lists: the columns of source, target and weight; see io::GraphReadOptions.
  std::vector<std::string> columns{};
  /// Archives: how many bytes they may unpack to; see io::GraphReadOptions.
  std::optional<std::uint64_t> unpack_limit{};
};

/// Diagrams for people to look at and to keep. Everything that a kind of input cannot do is refused.
struct DiagramRequest {
  std::vector<std::string> filtrations{};  ///< Empty: the kind's default; all diagrams that are there.
  std::vector<diagram::Kind> kinds{};      ///< Empty: the kind's default, likewise.
  std::string essential{};     ///< What becomes of classes that never die: drop (empty), clip or clip:VALUE.
  bool keep_diagonal = false;  ///< Keep points whose birth equals their death.
  bool cycles = false;         ///< Find a representative cycle for each ext1 point.
};

struct ComputedDiagrams {
  diagram::DiagramSet set;
  std::vector<std::string> notes{};  ///< Sentences that a person should see once.
  io::VertexNames vertices{};  ///< The names of the vertices that the diagrams are about, if they have some.
  double filtration_seconds = 0;  ///< Wall-clock time of the two stages.
  double persistence_seconds = 0;
};

/// Something that `perslay info` says about a dataset: in a table under a title, in JSON under a key. Without
/// a title or without a key it is said in one of the two only.
struct Fact {
  using Range = std::pair<double, double>;
  using Value = std::variant<std::monostate, bool, std::int64_t, double, Range, std::vector<Fact>>;

  std::string title{};
  std::string text{};
  std::string key{};
  Value value{};
};

/// The items of one dataset, read and whole.
class Dataset {
 public:
  Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  virtual ~Dataset() = default;

  [[nodiscard]] virtual std::size_t size() const noexcept = 0;

  /// What is said about the source as a whole.
  [[nodiscard]] virtual std::string name() const { return {}; }
  [[nodiscard]] virtual const std::vector<int>& labels() const noexcept = 0;
  [[nodiscard]] virtual const std::vector<std::string>& classes() const noexcept = 0;
  [[nodiscard]] virtual std::vector<Fact> facts(const base::Context& context) const = 0;
  /// Sentences about how it was read that a person should see once.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  /// What reading changed, and where labels came from.
  [[nodiscard]] virtual Reading reading() const { return {}; }

  /// Some items, in the order given.
  [[nodiscard]] virtual std::unique_ptr<Dataset> part(std::span<const std::size_t> rows) const = 0;

  /// The diagrams of every item, as they are computed. The result does not depend on the number of threads.
  [[nodiscard]] virtual ComputedDiagrams diagrams(const DiagramRequest& request,
                                                  const base::Context& context) const = 0;

  /// What is to be known about every item (see load_items.h); may use the input up.
  [[nodiscard]] virtual Items items(const LoadRequest& request, const base::Context& context) = 0;

  /// Diagrams that need not be computed; null for all other kinds.
  [[nodiscard]] virtual const diagram::DiagramSet* stored() const noexcept { return nullptr; }
  /// The graphs themselves; null for all other kinds.
  [[nodiscard]] virtual std::shared_ptr<const ItemGraphs> graphs() const { return nullptr; }
};

/// What the name of a source, and a look into it, say about one kind of items in it.
struct Claim {
  enum Certainty { never, possibly, certainly };

  Certainty certainty = never;
  std::string reading{};  ///< In sentences: "an edge list".
  /// The reason: "every line has two integers". Empty if nothing could be seen.
  std::string why{};
};

struct InputKind {
  std::string_view name;    ///< As in `--as clouds`.
  std::string_view plural;  ///< In sentences: "point clouds".
  std::string_view item;    ///< One of them: "cloud".
  std::string_view help;    ///< The files that it is read from; one line or two.

  const base::NameTable* filtrations = nullptr;  ///< Null for diagrams that are stored.
  /// Of diagrams that are stored: the filtrations that a file has.
  std::vector<std::string> (*filtrations_in)(const std::filesystem::path& data) = nullptr;
  std::string_view default_filtration{};
  std::vector<diagram::Kind> kinds;          ///< All that its diagrams may have;
  std::vector<diagram::Kind> default_kinds;  ///< empty for those that are there already.
  /// Options of commands that are about this kind alone, such as "cycles".
  std::vector<std::string_view> options{};

  Claim (*claim)(const std::filesystem::path& data);  ///< The path need not exist.
  std::unique_ptr<Dataset> (*read)(const std::filesystem::path& data, const ReadOptions& options,
                                   const base::Context& context);
  /// Refuses what Dataset::diagrams would refuse, as far as the request alone tells.
  void (*check)(const DiagramRequest& request);

  /// Whether the data are diagrams, so that none are computed.
  [[nodiscard]] bool is_stored() const noexcept { return filtrations == nullptr; }
  [[nodiscard]] bool has(diagram::Kind kind) const noexcept;
  [[nodiscard]] bool takes(std::string_view option) const noexcept;
};

/// All kinds.
[[nodiscard]] std::span<const InputKind* const> input_kinds();

/// The kind called `name`; an unknown name is the user's mistake.
[[nodiscard]] const InputKind& input_kind(std::string_view name);

/// The first kind that has filtrations, or diagrams, of this name; null if there is none.
[[nodiscard]] const InputKind* kind_with_filtration(std::string_view filtration);
[[nodiscard]] const InputKind* kind_with_diagrams(diagram::Kind kind);

/// The kind that all filtrations belong to; null if there are none, or none that is known. Filtrations of two
/// kinds are the user's mistake.
[[nodiscard]] const InputKind* kind_of_filtrations(std::span<const std::string> filtrations);

/// The kind that is certainly in the data; null if it is none. `computed`: only kinds that diagrams are computed from.
/// Data that certainly are of two such kinds are the user's mistake.
[[nodiscard]] const InputKind* certain_kind(const std::filesystem::path& data, bool computed);

/// What is asked of data, where their kind must follow from it.
struct Asked {
  std::span<const std::string> filtrations{};
  std::span<const diagram::Kind> kinds{};
  std::span<const std::string_view> options{};  ///< Of commands, as in InputKind::options.
  bool computed = false;                        ///< Only kinds that diagrams are computed from are meant.
  const InputKind* otherwise = nullptr;         ///< What is meant if nothing else tells.
};

/// What a path holds, judged by its name and a look into it. Where these leave two kinds, what is asked for decides:
/// a filtration, a kind of diagrams, an option that only one of them has. If it does not decide either, the user must:
/// the kind is never guessed. A file that keeps clouds beside diagrams, but lacks diagrams of a filtration that is
/// asked for, holds clouds. Filtrations that do not go with the path are the user's mistake.
[[nodiscard]] const InputKind& input_kind_of(const std::filesystem::path& data, const Asked& asked);

}  // namespace perslay::features
