// Names that attack their next reader: shells, gnuplot, compilers, browsers, spreadsheets, TeX. If
// one is interpreted, a file named "owned" appears in the current folder, or the output no longer
// parses.

#pragma once

#include <string>
#include <vector>

#include "tests/layer.hpp"

namespace parid::test {

// All of these are names that the readers take.
inline std::vector<std::string> hostile_names() {
  std::vector<std::string> all;
  const auto add_around = [&](const char* before, const char* after) {
    for (const char* command : {"touch owned", "echo>owned", "id > owned"})
      all.push_back(std::string(before) + command + after);
  };
  // Shells and gnuplot: substitution, in every kind of quotes, and as commands, pipes and
  // redirections.
  add_around("`", "`");
  add_around("$(", ")");
  add_around("'`", "`'");
  add_around("\"`", "`\"");
  add_around("''`", "`''");
  add_around("'''`", "`'''");
  add_around("a'`", "`");
  add_around("\\`", "\\`");
  add_around("\\\"`", "`\\\"");
  add_around("${x:-`", "`}");
  add_around("\"$(", ")\"");
  add_around("'$(", ")'");
  add_around("; ", ";");
  add_around("';", ";'");
  add_around("\";", ";\"");
  add_around("! ", "");
  add_around("'! ", "'");
  add_around("| ", "");
  add_around("< ", "");
  add_around("&& ", " &&");
  add_around("|| ", " #");
  add_around("\"; system('", "'); x=\"");
  add_around("'; system(\"", "\"); x='");
  add_around("'.system(\"", "\").'");
  add_around("\".system('", "').\"");
  add_around("@", "");
  add_around("@{`", "`}");
  add_around("{/Bold `", "`}");
  // C, C++, JavaScript, Verilog, DOT, Python
  add_around("*/ int main(void) { system(\"", "\"); } /*");
  add_around("\"); system(\"", "\"); (\"");
  add_around("*/ require('child_process').execSync('", "') /*");
  add_around("${require('child_process').execSync('", "')}");
  add_around("`);require('child_process').execSync('", "');(`");
  add_around("');require('child_process').execSync('", "');//");
  add_around("endmodule module x; initial $system(\"", "\"); endmodule");
  add_around("'+__import__('os').system('", "')+'");
  add_around("\"]; } digraph { a [label=\"", "\"");
  // TeX, pages, spreadsheets
  add_around("\\write18{", "}");
  add_around("\\immediate\\write18{", "}%");
  add_around("</script><script>require('child_process').execSync('", "')</script>");
  add_around("<img src=x onerror=\"require('child_process').execSync('", "')\">");
  add_around("]]><script>", "</script>");
  add_around("--><script>", "</script><!--");
  add_around("=cmd|'/c ", "'!A0");
  add_around("<?php system('", "'); ?>");
  add_around("{{", "}}");
  add_around("#{`", "`}");
  for (const char* name : {"`",
                           "``",
                           "```",
                           "'",
                           "''",
                           "'''",
                           "''''",
                           "\"",
                           "\"\"",
                           "\\",
                           "\\\\",
                           "ends in \\",
                           "\\n",
                           "\\\"",
                           "\\'",
                           "$",
                           "$$",
                           "$PATH",
                           "${PATH}",
                           "$data",
                           "$texts[1]",
                           "END_OF_DATA",
                           "END_OF_TEXTS",
                           ">END_OF_TEXTS",
                           "@",
                           "@m",
                           "!",
                           "|",
                           "<",
                           ">",
                           "&",
                           "&&",
                           ";",
                           "#",
                           "# comment",
                           "%",
                           "%%",
                           "%s%n%x",
                           "%1$s",
                           "{",
                           "}",
                           "{}",
                           "{0}",
                           "{{",
                           "^",
                           "^^M",
                           "_",
                           "a_{b}",
                           "~",
                           "*",
                           "*/",
                           "/*",
                           "//",
                           "(*",
                           "*)",
                           "-->",
                           "<!--",
                           "]]>",
                           "<![CDATA[",
                           "<?xml",
                           "</script>",
                           "</title>",
                           "</svg>",
                           "<b>",
                           "&amp;",
                           "&lt;script&gt;",
                           "&#10;",
                           "&#x60;",
                           "&#x0;&#x3c;script&#x3e;",
                           "&e;",
                           "?\?/",
                           "?\?/?\?/",
                           "\\u000a",
                           "\\x0a",
                           "\\input{owned}",
                           "\\end{document}",
                           "\\csname",
                           "$x^2$",
                           "[",
                           "]",
                           "[[joint]]",
                           "]]",
                           "a = 1",
                           "a,b",
                           "a;b",
                           "a:b",
                           "a\tb",
                           ",",
                           ",,",
                           "\",\"",
                           "-",
                           "--",
                           "-o",
                           "--help",
                           "-o owned",
                           "--output=owned",
                           "=1+1",
                           "+1",
                           "-1",
                           "@SUM(1)",
                           ".",
                           "..",
                           "../owned",
                           "../../owned",
                           "/etc/passwd",
                           "~/owned",
                           "C:\\owned",
                           "NUL",
                           " ",
                           "  two  spaces  ",
                           " lead",
                           "trail ",
                           "int",
                           "for",
                           "class",
                           "module",
                           "endmodule",
                           "digraph",
                           "graph",
                           "node",
                           "None",
                           "null",
                           "true",
                           "NaN",
                           "nan",
                           "inf",
                           "0",
                           "1e5",
                           "007",
                           "__proto__",
                           "constructor",
                           "toString",
                           "prototype",
                           "synopsys translate_off",
                           "verilator lint_off",
                           "verilator public",
                           "`include \"owned\"",
                           "`define q 0",
                           "`timescale",
                           "# sourceMappingURL=owned",
                           "NOLINT",
                           "clang-format off",
                           "\u00e9\u4e2d\u0301",
                           "\U0001f916",
                           "\u05e2\u05d1\u05e8",
                           "\ufeffbom",
                           "\u200bzero",
                           "\u2018\u2019",
                           "\u201c\u201d",
                           "\u00ab\u00bb",
                           "\uff07\uff40"})
    if (*name) all.emplace_back(name);
  all.push_back(std::string(200, 'x'));
  all.push_back(std::string(900, '`'));
  return all;
}

// What no reader takes: line ends of every kind, what steers a terminal or turns text around.
inline std::vector<std::string> refused_names() {
  std::vector<std::string> all;
  for (const char* c : {"\n", "\r", "\r\n", "\x0b", "\x0c", "\x1b[2J", "\x07", "\x08", "\x7f",
                        "\x01", "\u0085", "\u009b", "\u2028", "\u2029", "\u202e", "\u2066"})
    for (const char* after : {"system(\"touch owned\")", "`touch owned`", ""})
      all.push_back(std::string("arm") + c + after);
  return all;
}

}  // namespace parid::test
