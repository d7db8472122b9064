// The server of `parid report --serve`: what it serves, whom it refuses, and what it survives.

#include "report/page_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "parid/error.hpp"
#include "report/page.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// A server that answers on a thread of its own.
class Served {
 public:
  explicit Served(PageServerOptions options = {}) : server_(options) {
    thread_ = std::thread([this] {
      while (!ended_) {
        const std::lock_guard lock(mutex_);
        server_.serve(10);
      }
    });
  }
  ~Served() {
    ended_ = true;
    thread_.join();
  }
  int port() const { return server_.port(); }
  void publish(const std::string& html) {
    const std::lock_guard lock(mutex_);
    server_.publish(html);
  }
  void publish_error(const std::string& message) {
    const std::lock_guard lock(mutex_);
    server_.publish_error(message, error_page(message, server_.next()));
  }

 private:
  PageServer server_;
  std::mutex mutex_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

class Connection {
 public:
  explicit Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  void send_text(const std::string& text) const {
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t n = send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;
      sent += static_cast<std::size_t>(n);
    }
  }
  // All that arrives until the server closes.
  std::string rest() const {
    std::string all;
    char bytes[65536];
    for (ssize_t n; (n = recv(socket_, bytes, sizeof bytes, 0)) > 0;)
      all.append(bytes, static_cast<std::size_t>(n));
    return all;
  }

 private:
  int socket_;
};

std::string asked(int port, const std::string& request) {
  const Connection c(port);
  c.send_text(request);
  return c.rest();
}
std::string got(int port, const std::string& path, const std::string& more = "") {
  return asked(port, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                         "\r\n" + more + "\r\n");
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PageServer, ServesThePage) {
  Served s;
  EXPECT_TRUE(has(got(s.port(), "/"), "The page is being computed"));
  const std::string page = "<!doctype html><p>" + std::string(3'000'000, 'x') + "</p>";
  s.publish(page);
  const std::string answer = got(s.port(), "/");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(has(answer, "Content-Length: " + std::to_string(page.size()) + "\r\n"));
  EXPECT_TRUE(answer.ends_with(page));
  const std::string head = asked(
      s.port(), "HEAD / HTTP/1.1\r\nHost: LOCALHOST:" + std::to_string(s.port()) + "\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n")) << head;
}

TEST(PageServer, ChangesAreReported) {
  Served s;
  s.publish("one");
  EXPECT_TRUE(has(got(s.port(), "/changes?since=0"), "{\"version\":1,\"error\":null}"));
  const Connection waiting(s.port());
  waiting.send_text("GET /changes?since=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(s.port()) +
                    "\r\n\r\n");
  // Requests are answered in the order of their arrival, so the first one is waiting now.
  EXPECT_TRUE(has(got(s.port(), "/"), "one"));
  s.publish("two");
  EXPECT_TRUE(has(waiting.rest(), "{\"version\":2,\"error\":null}"));
  EXPECT_TRUE(has(got(s.port(), "/"), "two"));
}

TEST(PageServer, AHeldRequestIsAnsweredAtItsLimit) {
  Served s({.hold_seconds = 0.05});
  s.publish("one");
  EXPECT_TRUE(has(got(s.port(), "/changes?since=1"), "{\"version\":1,\"error\":null}"));
}

TEST(PageServer, ErrorsKeepThePageAndAreText) {
  Served s;
  s.publish_error("arm.urdf:3: \"<b>\" \\ \x01\xff is wrong");
  const std::string first = got(s.port(), "/");
  EXPECT_TRUE(has(first, "arm.urdf:3: &quot;&lt;b&gt;&quot;")) << first;
  EXPECT_TRUE(has(got(s.port(), "/changes?since=0"),
                  R"({"version":1,"error":"arm.urdf:3: \"<b>\" \\ \u0001? is wrong"})"));
  s.publish("page");
  s.publish_error("again");
  EXPECT_TRUE(has(got(s.port(), "/"), "page"));
  EXPECT_TRUE(has(got(s.port(), "/changes?since=2"), R"({"version":3,"error":"again"})"));
}

// A web site whose name leads here must not read the page.
TEST(PageServer, OtherHostsAreRefused) {
  Served s;
  s.publish("secret");
  const std::string port = std::to_string(s.port());
  for (const std::string& host :
       {std::string("evil.example"), "evil.example:" + port, std::string("127.0.0.1"),
        "127.0.0.1.evil.example:" + port, std::string("127.0.0.1:1"), std::string(),
        "localhost:" + port + "0", "127.0.0.1:" + port + "@evil.example"}) {
    const std::string answer = asked(s.port(), "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 403")) << host << '\n' << answer;
    EXPECT_FALSE(has(answer, "secret")) << host;
  }
  EXPECT_TRUE(asked(s.port(), "GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 403"));
  // Two hosts: which one counts?
  EXPECT_TRUE(got(s.port(), "/", "Host: evil.example\r\n").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(
      has(asked(s.port(), "GET / HTTP/1.1\r\nhost:\tlocalhost:" + port + "\r\n\r\n"), "secret"));
}

TEST(PageServer, NoPathLeadsToAFile) {
  Served s;
  s.publish("page");
  for (const char* path : {"/../../../../etc/passwd", "/..%2f..%2fetc/passwd", "/etc/passwd", "//",
                           "/index.html", "/./", "/%00", "/changes/", "/?/../etc/passwd/.."}) {
    const std::string answer = got(s.port(), path);
    EXPECT_FALSE(has(answer, "root:")) << path;
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 404") || has(answer, "\r\n\r\npage")) << answer;
  }
  EXPECT_TRUE(got(s.port(), "http://127.0.0.1/").starts_with("HTTP/1.1 404"));
}

TEST(PageServer, SurvivesGarbage) {
  Served s({.head_seconds = 0.2, .most_clients = 8});
  s.publish("page");
  const std::string here = "Host: 127.0.0.1:" + std::to_string(s.port()) + "\r\n";
  const std::string bad[] = {"\r\n\r\n",
                             std::string("\0\0\0\n\n", 5),
                             "GET\r\n\r\n",
                             "GET / HTTP/9.9\r\n" + here + "\r\n",
                             "GET /\x80 HTTP/1.1\r\n" + here + "\r\n",
                             "GET / HTTP/1.1\r\nno colon\r\n" + here + "\r\n",
                             std::string("\x16\x03\x01\x02\x00\x01\x00\n\n", 9)};
  for (const std::string& text : bad)
    EXPECT_TRUE(asked(s.port(), text).starts_with("HTTP/1.1 400")) << text;
  EXPECT_TRUE(
      asked(s.port(), "POST / HTTP/1.1\r\n" + here + "\r\nbody").starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(asked(s.port(), "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n")
                  .starts_with("HTTP/1.1 431"));
  // One that never ends its request is dropped without an answer; many of them do not keep others
  // out.
  EXPECT_EQ(asked(s.port(), "GET / HTTP/1.1\r\n"), "");
  std::vector<std::unique_ptr<Connection>> slow;
  for (int k = 0; k < 30; ++k) {
    slow.push_back(std::make_unique<Connection>(s.port()));
    slow.back()->send_text("G");
  }
  EXPECT_TRUE(has(got(s.port(), "/"), "page"));
  slow.clear();
  EXPECT_TRUE(has(got(s.port(), "/"), "page"));
}

// A client that sends without end delays nobody.
TEST(PageServer, AFloodDelaysNobody) {
  Served s;
  s.publish("page");
  std::atomic<bool> enough = false, flooding = true;
  std::thread flood([&] {
    const Connection c(s.port());
    c.send_text("GET /changes?since=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(s.port()) +
                "\r\n\r\n");
    const std::string much(1 << 20, 'x');
    for (int k = 0; k < 20000 && !enough; ++k) c.send_text(much);
    flooding = false;
  });
  EXPECT_TRUE(has(got(s.port(), "/"), "page"));
  EXPECT_TRUE(flooding);
  enough = true;
  s.publish("another page");  // ends the held request
  flood.join();
}

TEST(PageServer, APortInUseIsNamed) {
  const PageServer first;
  try {
    const PageServer second(PageServerOptions{.port = first.port()});
    FAIL() << "two servers on one port";
  } catch (const Error& e) {
    EXPECT_TRUE(has(e.what(), "port " + std::to_string(first.port()) + " is in use")) << e.what();
  }
  EXPECT_THROW(PageServer(PageServerOptions{.port = 70000}), Error);
}

// Only the page of a server may request anything, and only from its server.
TEST(PageServer, OnlyAServedPageMakesRequests) {
  ReportPage page;
  page.data = "{}";
  EXPECT_FALSE(has(text(page), "connect-src"));
  EXPECT_FALSE(has(text(page), "/changes"));
  page.watch = 7;
  EXPECT_TRUE(has(text(page), "connect-src 'self'"));
  EXPECT_TRUE(has(text(page), "let version = 7;"));
  page.title = "@PARID_WATCH@";
  EXPECT_TRUE(has(text(page), "<h1>@PARID_WATCH@</h1>"));
}

}  // namespace
}  // namespace parid::test
