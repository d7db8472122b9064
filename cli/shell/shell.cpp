// parid completion, parid man: for installers and shells.

#include "cli/shell/shell.hpp"

#include <fmt/format.h>

#include <memory>

#include <filesystem>

#include "base/file/atomic_file.hpp"
#include "cli/shell/option_checks.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

void write(const std::string& folder, const std::string& name, const std::string& text) {
  AtomicFile file((std::filesystem::path(folder) / name).string());
  file.write(text);
  file.commit();
}

void write_man_pages(const CLI::App& program, const std::string& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  write(folder, "parid.1", man_page(program));
  for (const CLI::App* command : program.get_subcommands({}))
    if (!command->get_group().empty())
      write(folder, fmt::format("parid-{}.1", command->get_name()), man_page(*command));
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  c->add_option("SHELL", *shell, "bash, zsh or fish")
      ->check(one_of({"bash", "zsh", "fish"}))
      ->required();
  c->footer(
      "Installed packages include the scripts. To install by hand: bash, `source <(parid "
      "completion bash)` in ~/.bashrc; zsh, `source <(parid completion zsh)` in ~/.zshrc after "
      "compinit; fish, `parid completion fish > ~/.config/fish/completions/parid.fish`.\nExample:  "
      "parid completion bash > parid.bash");
  c->callback([&app, &action, shell] {
    action = [&app, shell] {
      fmt::print("{}", *shell == "bash"  ? bash_completion(app)
                       : *shell == "zsh" ? zsh_completion(app)
                                         : fish_completion(app));
      return 0;
    };
  });
}

// Only for packages, so not in --help.
void add_man(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand("man", "Write the manual pages to a directory");
  c->group("");
  const auto folder = std::make_shared<std::string>();
  c->add_option("FOLDER", *folder, "output directory; created if missing")->required();
  c->callback([&app, &action, folder] {
    action = [&app, folder] {
      write_man_pages(app, *folder);
      return 0;
    };
  });
}

}  // namespace parid::cli
