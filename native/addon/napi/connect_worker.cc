#include "connect_worker.h"

#include "../sockets.h"
#include "convert.h"
#include "options.h"

namespace mpd {
namespace {

class ConnectWorker : public Napi::AsyncWorker {
 public:
  ConnectWorker(Napi::Promise::Deferred deferred, SocketName remote, std::optional<SocketName> local,
                std::chrono::milliseconds timeout)
      : AsyncWorker(deferred.Env()), deferred_(deferred), remote_(remote), local_(local), timeout_(timeout) {}

 protected:
  void Execute() override {
    try {
      file_ = connectMptcp(remote_, local_, timeout_);
    } catch (const Failure& failure) {
      failure_ = failure;
    }
  }
  void OnOK() override {
    if (failure_) {
      deferred_.Reject(toJsError(Env(), *failure_).Value());
    } else {
      deferred_.Resolve(Napi::Number::New(Env(), file_.release()));
    }
  }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  Napi::Promise::Deferred deferred_;
  const SocketName remote_;
  const std::optional<SocketName> local_;
  const std::chrono::milliseconds timeout_;
  File file_;  // Closed here if the environment ends before a caller takes it.
  std::optional<Failure> failure_;
};

SocketName nameOption(Napi::Env env, const char* option, const std::string& text, uint16_t port) {
  const std::optional<SocketName> name = parseSocketName(text, port);
  if (!name) badArgument(env, std::string(option) + ": \"" + text + "\" is no IPv4 or IPv6 address");
  return *name;
}

void enqueue(Napi::Env env, Napi::Value value, Napi::Promise::Deferred deferred) {
  const Napi::Object options = optionsObject(env, value);
  const std::string address = textOption(options, "address").value_or("");
  const auto port = static_cast<uint16_t>(numberOption(options, "port", {1, 65535, {}}));
  const SocketName remote = nameOption(env, "address", address, port);
  std::optional<SocketName> local;
  if (const auto text = textOption(options, "localAddress")) {
    local = nameOption(env, "localAddress", *text, 0);
    if (local->storage.ss_family != remote.storage.ss_family) {
      badArgument(env, "localAddress and address must be of one family");
    }
  }
  const std::chrono::milliseconds timeout(
      static_cast<int64_t>(numberOption(options, "timeoutMs", {1, 600'000, 10'000})));
  (new ConnectWorker(deferred, remote, local, timeout))->Queue();  // Deletes itself when done.
}

}  // namespace

Napi::Value connectMptcpAsync(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto deferred = Napi::Promise::Deferred::New(env);
  try {
    enqueue(env, info[0], deferred);
  } catch (const Napi::Error& error) {
    deferred.Reject(error.Value());
  }
  return deferred.Promise();
}

}  // namespace mpd
