// A small HTTP server for one page, on this computer only.
//
// It listens on 127.0.0.1 and serves "/" (the page) and "/changes?since=N", which answers as soon
// as the page's number is not N. A web site whose name leads to 127.0.0.1 (DNS rebinding) must not
// read the page: requests whose Host is not 127.0.0.1 or localhost with this port are refused. No
// path leads to a file.
//
// One thread, non-blocking sockets: a client that sends slowly, sends garbage or does not read does
// not delay the others, and is dropped at a time limit.

#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "report/layer.hpp"

namespace parid::report {

struct PageServerOptions {
  int port = 0;              // 0: a free one
  double head_seconds = 10;  // for the whole head of a request
  double send_seconds = 30;  // without any progress of an answer
  double hold_seconds = 20;  // a request for changes is then answered without one
  std::size_t most_clients = 64;
  std::size_t most_head = 16384;  // bytes
};

class PageServer {
 public:
  // Throws Error if the port is in use or not allowed.
  explicit PageServer(const PageServerOptions& = {});
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  int port() const { return port_; }
  std::string url() const;

  // The number that the next publish() gives the page.
  long next() const { return version_ + 1; }
  void publish(std::string html);
  // The page stays; clients get the message. `html` is served if there is no page yet.
  void publish_error(const std::string& message, const std::string& html);

  // Answers requests for that time.
  void serve(int milliseconds);

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    int socket = -1;
    enum class State { reading, waiting, sending, closing } state = State::reading;
    Clock::time_point until;  // when it is dropped, or a waiting one is answered
    std::string in, out;
    std::size_t sent = 0;
    bool body = true;  // false: HEAD
  };

  void accept_clients();
  void receive(Client&);
  void answer(Client&);
  void reply(Client&, const char* status, const char* type, const std::string& body);
  void reply_changes(Client&);
  void send_more(Client&);
  void expire();
  void make_room();
  void new_version();
  Clock::time_point after(double seconds) const;
  bool host_is_here(std::string_view host) const;

  PageServerOptions options_;
  int listener_ = -1, port_ = 0;
  long version_ = 0;
  std::string html_, error_;
  bool has_page_ = false;
  std::vector<Client> clients_;
};

}  // namespace parid::report
