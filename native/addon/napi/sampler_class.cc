#include "sampler_class.h"

#include "convert.h"
#include "options.h"

namespace mpd {
namespace {

/**
 * Property of the object that holds its callback: an edge visible to the garbage collector, unlike a native
 * reference.
 */
constexpr char kCallback[] = "onReadable";

}  // namespace

Napi::Function SamplerClass::define(Napi::Env env) {
  return DefineClass(env, "Sampler",
                     {
                         InstanceMethod<&SamplerClass::start>("start"),
                         InstanceMethod<&SamplerClass::stop>("stop"),
                         InstanceMethod<&SamplerClass::setFilter>("setFilter"),
                         InstanceMethod<&SamplerClass::read>("read"),
                         InstanceMethod<&SamplerClass::stats>("stats"),
                     });
}

SamplerClass::SamplerClass(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<SamplerClass>(info), env_(info.Env()) {
  const Napi::Object options = optionsObject(env_, info[0]);
  netns_ = textOption(options, "netns").value_or("");
  filter_ = filterOption(options);
  const double periodMs = numberOption(options, "periodMs", {10, 10'000, 100});
  const double capacity = numberOption(options, "capacity", {1, 65'536, 256});
  const Napi::Value callback = options.Get("onReadable");
  if (!callback.IsUndefined()) {
    if (!callback.IsFunction()) badArgument(env_, "onReadable must be a function");
    Value().DefineProperty(Napi::PropertyDescriptor::Value(kCallback, callback, napi_default));
  }
  thread_ = std::make_unique<SamplerThread>(
      static_cast<int64_t>(periodMs) * 1000, static_cast<size_t>(capacity),
      [this](Snapshot& out) { sample(out); }, [this] { notify(); });
}

void SamplerClass::start(const Napi::CallbackInfo& info) {
  if (running_) return;
  rethrown(env_, [&] {
    if (!collector_) {
      collector_.emplace(netns_);
      collector_->setFilter(filter_);
    }
    const Napi::Value callback = Value().Get(kCallback);
    if (callback.IsFunction()) {
      // One call may wait. The queue refuses further calls, which merge into the waiting one.
      wake_ = Napi::ThreadSafeFunction::New(env_, callback.As<Napi::Function>(), "mptcp-sampler", 1, 1);
      wake_.Unref(info.Env());
    }
    // Added after the wake function, so that it runs before Node destroys that function.
    napi_add_env_cleanup_hook(env_, &SamplerClass::shutDownHook, this);
    running_ = true;
    try {
      thread_->start();
    } catch (...) {
      shutDown();
      throw;
    }
    Ref();
  });
}

void SamplerClass::stop(const Napi::CallbackInfo&) {
  if (!running_) return;
  shutDown();
  Unref();
}

void SamplerClass::shutDown() {
  if (!running_) return;
  running_ = false;
  thread_->stop();
  napi_remove_env_cleanup_hook(env_, &SamplerClass::shutDownHook, this);
  if (wake_) wake_.Abort();
  wake_ = {};
  // Its sockets would otherwise stay open until a garbage collection.
  collector_.reset();
}

void SamplerClass::shutDownHook(void* self) {
  static_cast<SamplerClass*>(self)->shutDown();
}

void SamplerClass::setFilter(const Napi::CallbackInfo& info) {
  Filter filter = filterOption(optionsObject(env_, info[0]));
  const std::lock_guard lock(filterMutex_);
  newFilter_ = std::move(filter);
}

void SamplerClass::sample(Snapshot& out) {
  {
    const std::lock_guard lock(filterMutex_);
    if (newFilter_) {
      filter_ = std::move(*newFilter_);
      collector_->setFilter(filter_);
    }
    newFilter_.reset();
  }
  collector_->collect(out);
}

void SamplerClass::notify() {
  if (wake_) wake_.NonBlockingCall();
}

Napi::Value SamplerClass::read(const Napi::CallbackInfo&) {
  const size_t count = thread_->read(readBuffer_);
  return toJs(env_, std::span(readBuffer_).first(count));
}

Napi::Value SamplerClass::stats(const Napi::CallbackInfo&) {
  return toJs(env_, thread_->counts());
}

}  // namespace mpd
