#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace perslay::cli {

/// The work of a command; it runs once the whole command line has been parsed.
using Action = std::function<void()>;

/// Each adds one command to the program; `chosen` becomes its action if the user calls it.
void add_info(CLI::App& program, Action& chosen);
void add_completion(CLI::App& program, Action& chosen);
void add_diagrams(CLI::App& program, Action& chosen);
void add_distance(CLI::App& program, Action& chosen);
void add_evaluate(CLI::App& program, Action& chosen);
void add_gram(CLI::App& program, Action& chosen);
void add_man(CLI::App& program, Action& chosen);
void add_orbits(CLI::App& program, Action& chosen);
void add_report(CLI::App& program, Action& chosen);
void add_reproduce(CLI::App& program, Action& chosen);
void add_predict(CLI::App& program, Action& chosen);
void add_shapes(CLI::App& program, Action& chosen);
void add_train(CLI::App& program, Action& chosen);
void add_vectorize(CLI::App& program, Action& chosen);

}  // namespace perslay::cli
