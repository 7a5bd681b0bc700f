// The JavaScript class Sampler.
#pragma once

#include <napi.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../collector.h"
#include "../sampler_thread.h"

namespace mpd {

/**
 * A running sampler keeps itself alive, its thread, and a function that wakes JavaScript. A stopped one is an
 * ordinary collectable object. The wake function never keeps the event loop alive.
 */
class SamplerClass : public Napi::ObjectWrap<SamplerClass> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit SamplerClass(const Napi::CallbackInfo& info);
  ~SamplerClass() override { shutDown(); }

 private:
  void start(const Napi::CallbackInfo& info);
  void stop(const Napi::CallbackInfo& info);
  void setFilter(const Napi::CallbackInfo& info);
  Napi::Value read(const Napi::CallbackInfo& info);
  Napi::Value stats(const Napi::CallbackInfo& info);

  /** Takes one sample; runs on the sampling thread. */
  void sample(Snapshot& out);
  void notify();
  /** Ends the thread; also called when the environment ends first (a worker, or process.exit). */
  void shutDown();
  static void shutDownHook(void* self);

  const napi_env env_;
  std::string netns_;
  /** Set only while it runs. */
  std::optional<Collector> collector_;
  /** The collector's options, for the next one. */
  Filter filter_;
  std::mutex filterMutex_;
  std::optional<Filter> newFilter_;
  bool running_ = false;
  Napi::ThreadSafeFunction wake_;
  std::vector<Snapshot> readBuffer_;
  std::unique_ptr<SamplerThread> thread_;
};

}  // namespace mpd
