#include "file_collection.h"

#include "archive.h"
#include "class_labels.h"
#include "csv.h"

#include <algorithm>
#include <memory>
#include <set>
#include <system_error>

#include <perslay/io/path_type.h>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// The folder that a path in an archive is in, with a slash at its end; nothing for those at the top.
std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

/// The folder in the archive that holds all members: that of labels.csv, if there is one.
std::string common_folder(const std::vector<Text>& members) {
  const auto is_labels = [](const Text& member) { return fs::path(member.name).filename() == labels_file; };
  const auto labels = std::ranges::find_if(members, is_labels);
  if (labels != members.end()) return std::string(folder_of(labels->name));
  std::string common(members.empty() ? "" : folder_of(members.front().name));
  for (const Text& member : members)
    while (!member.name.starts_with(common))
      common = folder_of(std::string_view(common).substr(0, common.size() - 1));
  return common;
}

}  // namespace

FileCollection folder_files(const fs::path& folder, const std::function<bool(const std::string&)>& wanted,
                            const base::Context& context) {
  FileCollection files;
  files.where = folder.string();
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name == labels_file || name.starts_with('.') || !wanted(name)) continue;
    const auto type = path_type(at->path());  // a link that leads nowhere is an error later
    if (type == PathType::file || type == PathType::nothing) files.names.push_back(name);
  }
  if (error) refuse("{} cannot be read: {}.", folder.string(), error.message());
  std::ranges::sort(files.names, natural_less);
  std::error_code ignored;
  files.labelled = fs::exists(fs::symlink_status(folder / labels_file, ignored));
  files.has = [folder](const std::string& name) { return path_type(folder / name) == PathType::file; };
  files.load = [folder, context](const std::string& name) { return load_found_text(folder / name, context); };
  return files;
}

FileCollection archive_files(const fs::path& archive, const std::function<bool(const std::string&)>& wanted,
                             std::optional<std::uint64_t> unpack_limit, const base::Context& context) {
  const auto is_meant = [&](std::string_view path) {
    const auto name = fs::path(path).filename().string();
    return !name.starts_with('.') && (name == labels_file || wanted(name));
  };
  const auto members =
      std::make_shared<std::vector<Text>>(read_members(archive, is_meant, unpack_limit, context));
  const std::string folder = common_folder(*members);
  FileCollection files;
  files.where = archive.string();
  const auto find = [members, folder](const std::string& name) {
    return std::ranges::find(*members, folder + name, &Text::name);
  };
  for (const Text& member : *members) {
    if (!member.name.starts_with(folder)) continue;
    const std::string name = member.name.substr(folder.size());
    if (name == labels_file)
      files.labelled = true;
    else
      files.names.push_back(name);
  }
  std::ranges::sort(files.names, natural_less);
  files.has = [members, find](const std::string& name) { return find(name) != members->end(); };
  files.load = [members, find, where = files.where](const std::string& name) {
    const auto member = find(name);
    return Text{fmt::format("{}:{}", where, member->name), member->content};
  };
  return files;
}

std::vector<LabelledFile> read_labels(const FileCollection& files) {
  const Text text = files.load(std::string(labels_file));
  std::vector<LabelledFile> named;
  std::set<std::string> seen;
  CsvReader csv(text);
  for (bool first = true; csv.next(); first = false) {
    std::vector<std::string> fields = csv.fields();
    if (first && fields[0].starts_with("\xef\xbb\xbf")) fields[0].erase(0, 3);  // a byte order mark
    for (std::string& field : fields) field = trimmed(field);
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != 2)
      csv.fail("The line has {} field{}; 'file,label' is expected.", fields.size(),
               fields.size() == 1 ? "" : "s");
    if (first && fields[0] == "file" && fields[1] == "label") continue;
    fields[0] = fs::path(fields[0]).lexically_normal().string();
    if (!files.has(fields[0])) csv.fail("There is no file {} in the folder.", io::quoted(fields[0]));
    if (fields[1].empty()) csv.fail("The label of {} is missing.", io::quoted(fields[0]));
    if (!seen.insert(fields[0]).second) csv.fail("The file {} is named twice.", io::quoted(fields[0]));
    named.push_back({fields[0], fields[1]});
  }
  if (named.empty()) refuse("{} names no files.", text.name);
  return named;
}

std::optional<std::string> unnamed_note(const FileCollection& files, const std::vector<LabelledFile>& named) {
  std::set<std::string> names;
  for (const auto& [file, label] : named) names.insert(file);
  const auto unnamed =
      std::ranges::count_if(files.names, [&](const auto& name) { return !names.contains(name); });
  if (unnamed == 0) return std::nullopt;
  return fmt::format("{} file{} of the folder {} not named in {} and left out.", unnamed,
                     unnamed == 1 ? "" : "s", unnamed == 1 ? "is" : "are",
                     (fs::path(files.where) / labels_file).string());
}

std::vector<std::string> item_files(const FileCollection& files) {
  if (!files.labelled) return files.names;
  std::vector<std::string> names;
  for (auto& [file, label] : read_labels(files)) names.push_back(std::move(file));
  return names;
}

}  // namespace perslay::io
