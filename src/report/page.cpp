#include "report/page.hpp"

#include <stdexcept>

#include "report/embedded_page.hpp"

namespace parid::report {
namespace {

// In JSON "<" occurs only within strings, where this escape is equivalent.
std::string json_in_html(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

// Reloads the page when its server has another one, and shows the messages of the server.
constexpr std::string_view watch_script = R"(<script type="module">
let version = @VERSION@;
const bar = document.createElement("p");
bar.id = "watch";
bar.setAttribute("role", "status");
bar.style.cssText = "position:sticky;top:0;z-index:30;margin:0;padding:10px 24px;" +
  "background:#8a1c1c;color:#fff;white-space:pre-wrap;overflow-wrap:anywhere;" +
  "font:14px/1.5 system-ui,sans-serif";
bar.hidden = true;
document.body.prepend(bar);
const say = (text) => { bar.textContent = text; bar.hidden = !text; };
let error = "", lost = false;
for (;;) {
  try {
    const answer = await fetch("/changes?since=" + version, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const now = await answer.json();
    if (lost) { location.reload(); break; }  // another server, whose versions begin again
    if (now.version !== version) {
      if (!now.error) { location.reload(); break; }
      version = now.version;
      error = now.error;
    }
    say(error);
  } catch {
    lost = true;
    say("parid report --serve has ended; this page is no longer updated.");
    await new Promise((done) => setTimeout(done, 1000));
  }
}
</script>
)";

std::string watch_part(std::optional<long> version) {
  if (!version) return "";
  std::string out(watch_script);
  constexpr std::string_view mark = "@VERSION@";
  return out.replace(out.find(mark), mark.size(), std::to_string(*version));
}
constexpr std::string_view watch_policy = "; connect-src 'self'";

void demand_harmless(std::string_view program) {
  for (const char* bad : {"</", "<!"})
    if (program.find(bad) != program.npos)
      throw std::logic_error("a generated program contains an end tag of a script");
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

// In one pass, so that a value that contains a placeholder is not replaced.
std::string text(const ReportPage& page) {
  demand_harmless(page.programs);
  const std::string title = html_escaped(page.title), data = json_in_html(page.data),
                    watch = watch_part(page.watch);
  const struct {
    std::string_view mark, value;
  } parts[] = {{"@PARID_TITLE@", title},
               {"@PARID_DATA@", data},
               {"@PARID_PROGRAMS@", page.programs},
               {"@PARID_CONNECT@", page.watch ? watch_policy : std::string_view()},
               {"@PARID_WATCH@", watch}};
  std::string_view rest = embedded_page();
  std::string out;
  out.reserve(rest.size() + data.size() + page.programs.size());
  for (std::size_t at; (at = rest.find("@PARID_")) != rest.npos;) {
    out += rest.substr(0, at);
    rest.remove_prefix(at);
    bool known = false;
    for (const auto& [mark, value] : parts)
      if (!known && rest.starts_with(mark)) {
        out += value;
        rest.remove_prefix(mark.size());
        known = true;
      }
    if (!known) {
      out += rest[0];
      rest.remove_prefix(1);
    }
  }
  return out += rest;
}

std::string error_page(const std::string& message, long watch) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"><meta "
         "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
         "'unsafe-inline'; style-src 'unsafe-inline'" +
         std::string(watch_policy) +
         "\"><title>parid report</title></head>\n<body style=\"font:15px/1.5 "
         "system-ui,sans-serif;margin:24px\"><h1>parid report</h1><p>There is no page yet. Correct "
         "the file and save it.</p><pre id=\"error\" style=\"white-space:pre-wrap\">" +
         html_escaped(message) + "</pre>\n" + watch_part(watch) + "</body></html>\n";
}

bool report_page_is_full() {
  return embedded_page().find("<!-- parid: full page -->") != std::string_view::npos;
}

}  // namespace parid::report
