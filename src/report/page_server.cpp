#include "report/page_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/text/characters.hpp"
#include "parid/error.hpp"

namespace parid::report {
namespace {

#ifdef MSG_NOSIGNAL
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;
#endif

void set_up(int socket) {
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL, 0) | O_NONBLOCK);
  fcntl(socket, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// The end of a request's head, after the empty line; npos: not there yet.
std::size_t end_of_head(std::string_view in) {
  const std::size_t a = in.find("\r\n\r\n"), b = in.find("\n\n");
  if (a == in.npos) return b == in.npos ? b : b + 2;
  return std::min(a + 4, b == in.npos ? in.npos : b + 2);
}

struct Request {
  std::string_view method, target;
  std::optional<std::string_view> host;
};

// Nothing if the head is not that of HTTP/1.0 or 1.1, or names several hosts.
std::optional<Request> parsed(std::string_view head) {
  Request r;
  auto line = [&] {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view text = trimmed(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    return text;
  };
  const std::string_view first = line();
  const std::size_t a = first.find(' '), b = first.rfind(' ');
  if (a == first.npos || a == b) return {};
  r.method = first.substr(0, a);
  r.target = first.substr(a + 1, b - a - 1);
  const std::string_view version = first.substr(b + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return {};
  for (const char c : r.target)
    if (static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 127) return {};
  while (!head.empty()) {
    const std::string_view text = line();
    if (text.empty()) break;
    const std::size_t colon = text.find(':');
    if (colon == text.npos || colon == 0) return {};
    if (!same_word(text.substr(0, colon), "host")) continue;
    if (r.host) return {};
    r.host = trimmed(text.substr(colon + 1));
  }
  return r;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0)
      out += '?';
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < ' ')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out + "\"";
}

}  // namespace

PageServer::PageServer(const PageServerOptions& options) : options_(options) {
  if (options_.port < 0 || options_.port > 65535)
    throw Error(fmt::format("port {} is out of range; give 0 to 65535", options_.port));
  listener_ = socket(AF_INET, SOCK_STREAM, 0);
  if (listener_ < 0) throw Error(fmt::format("cannot open a socket ({})", std::strerror(errno)));
  set_up(listener_);
  // Allows a new server on the port of one that has just ended; two at once are still refused.
  const int on = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(options_.port));
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      listen(listener_, 64) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int error = errno;
    close(listener_);
    if (error == EADDRINUSE)
      throw Error(
          fmt::format("port {} is in use; choose another one, or 0 for a free one", options_.port));
    throw Error(fmt::format("cannot listen on port {} ({})", options_.port, std::strerror(error)));
  }
  port_ = ntohs(address.sin_port);
}

PageServer::~PageServer() {
  for (const Client& c : clients_) close(c.socket);
  close(listener_);
}

std::string PageServer::url() const { return fmt::format("http://127.0.0.1:{}/", port_); }

void PageServer::publish(std::string html) {
  html_ = std::move(html);
  error_.clear();
  has_page_ = true;
  new_version();
}

void PageServer::publish_error(const std::string& message, const std::string& html) {
  error_ = message.empty() ? "error" : message;
  if (!has_page_) html_ = html;
  new_version();
}

void PageServer::new_version() {
  ++version_;
  for (Client& c : clients_)
    if (c.state == Client::State::waiting) reply_changes(c);
}

PageServer::Clock::time_point PageServer::after(double seconds) const {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void PageServer::serve(int milliseconds) {
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    std::vector<pollfd> all{{listener_, POLLIN, 0}};
    for (const Client& c : clients_)
      all.push_back(
          {c.socket, static_cast<short>(c.state == Client::State::sending ? POLLOUT : POLLIN), 0});
    if (poll(all.data(), all.size(), static_cast<int>(std::clamp<long long>(left, 0, 50))) > 0) {
      for (std::size_t k = 0; k < clients_.size(); ++k) {
        if (all[k + 1].revents == 0) continue;
        if (clients_[k].state == Client::State::sending)
          send_more(clients_[k]);
        else
          receive(clients_[k]);
      }
      if (all[0].revents != 0) accept_clients();
    }
    expire();
    if (Clock::now() >= end) return;
  }
}

void PageServer::accept_clients() {
  for (;;) {
    const int socket = accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    set_up(socket);
    if (clients_.size() >= options_.most_clients) make_room();
    Client c;
    c.socket = socket;
    c.until = after(options_.head_seconds);
    clients_.push_back(std::move(c));
  }
}

// Drops the client that has sent no complete request for the longest time; else the oldest.
void PageServer::make_room() {
  auto oldest = clients_.begin();
  for (auto c = clients_.begin(); c != clients_.end(); ++c)
    if ((c->state == Client::State::reading) > (oldest->state == Client::State::reading) ||
        (c->state == oldest->state && c->until < oldest->until))
      oldest = c;
  close(oldest->socket);
  clients_.erase(oldest);
}

void PageServer::receive(Client& c) {
  char bytes[4096];
  // A client that never stops sending must not hold up the others; poll() reports the rest.
  for (int turn = 0; turn < 16; ++turn) {
    const ssize_t got = recv(c.socket, bytes, sizeof bytes, 0);
    if (got < 0 && would_block(errno)) return;
    if (got <= 0) {
      // A waiting client has left, or one that has its answer; others did not finish a request.
      close(c.socket);
      c.socket = -1;
      return;
    }
    if (c.state != Client::State::reading) continue;  // nothing more is read from it
    c.in.append(bytes, static_cast<std::size_t>(got));
    if (end_of_head(c.in) != c.in.npos || c.in.size() > options_.most_head) {
      answer(c);
      return;
    }
  }
}

bool PageServer::host_is_here(std::string_view host) const {
  for (const char* name : {"127.0.0.1", "localhost"}) {
    if (same_word(host, fmt::format("{}:{}", name, port_))) return true;
    if (port_ == 80 && same_word(host, name)) return true;
  }
  return false;
}

void PageServer::answer(Client& c) {
  const char* text = "text/plain; charset=utf-8";
  const std::size_t end = end_of_head(c.in);
  if (end == c.in.npos || end > options_.most_head)
    return reply(c, "431 Request Header Fields Too Large", text, "the request is too long\n");
  const std::optional<Request> r = parsed(std::string_view(c.in).substr(0, end));
  if (!r) return reply(c, "400 Bad Request", text, "this is not a request of HTTP/1.1\n");
  c.body = r->method != "HEAD";
  if (!r->host || !host_is_here(*r->host))
    return reply(c, "403 Forbidden", text,
                 fmt::format("this server answers requests for {} only\n", url()));
  if (r->method != "GET" && r->method != "HEAD")
    return reply(c, "405 Method Not Allowed", text, "only GET and HEAD are supported\n");
  const std::string_view path = r->target.substr(0, r->target.find('?'));
  if (path == "/") {
    if (html_.empty())
      return reply(c, "200 OK", "text/html; charset=utf-8",
                   "<!doctype html><meta http-equiv=\"refresh\" content=\"1\"><title>parid "
                   "report</title><p>The page is being computed.</p>\n");
    return reply(c, "200 OK", "text/html; charset=utf-8", html_);
  }
  if (path == "/favicon.ico") return reply(c, "204 No Content", text, "");
  if (path != "/changes") return reply(c, "404 Not Found", text, "there is no such page\n");
  const std::string_view query = r->target.substr(std::min(path.size() + 1, r->target.size()));
  long since = -1;
  if (query.starts_with("since="))
    std::from_chars(query.data() + 6, query.data() + query.size(), since);
  if (since != version_) return reply_changes(c);
  c.state = Client::State::waiting;
  c.until = after(options_.hold_seconds);
}

void PageServer::reply_changes(Client& c) {
  reply(c, "200 OK", "application/json",
        fmt::format("{{\"version\":{},\"error\":{}}}\n", version_,
                    error_.empty() ? "null" : json_text(error_)));
}

void PageServer::reply(Client& c, const char* status, const char* type, const std::string& body) {
  c.out = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\r\n",
      status, type, body.size());
  if (c.body) c.out += body;
  c.in.clear();
  c.sent = 0;
  c.state = Client::State::sending;
  c.until = after(options_.send_seconds);
  send_more(c);
}

void PageServer::send_more(Client& c) {
  while (c.sent < c.out.size()) {
    const ssize_t n = send(c.socket, c.out.data() + c.sent, c.out.size() - c.sent, no_signal);
    if (n < 0 && would_block(errno)) return;
    if (n <= 0) {
      close(c.socket);
      c.socket = -1;
      return;
    }
    c.sent += static_cast<std::size_t>(n);
    c.until = after(options_.send_seconds);
  }
  // What the client still sends is read first: closing at once could discard the answer.
  shutdown(c.socket, SHUT_WR);
  c.out.clear();
  c.state = Client::State::closing;
  c.until = after(1);
}

void PageServer::expire() {
  const Clock::time_point now = Clock::now();
  for (Client& c : clients_) {
    if (c.socket < 0 || now < c.until) continue;
    if (c.state == Client::State::waiting) {
      reply_changes(c);
    } else {
      close(c.socket);
      c.socket = -1;
    }
  }
  std::erase_if(clients_, [](const Client& c) { return c.socket < 0; });
}

}  // namespace parid::report
