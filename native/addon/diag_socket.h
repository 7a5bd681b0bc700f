// A NETLINK_SOCK_DIAG socket: sends requests and returns the decoded messages of the answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "decode.h"
#include "file.h"
#include "request.h"

namespace mpd {

class DiagSocket {
 public:
  /** Opens inside the network namespace `netns` (empty: the caller's). */
  explicit DiagSocket(const std::string& netns);

  /** Sends dump requests one at a time and reads each to its end. Throws Failure with the kernel's errno. */
  template <typename OnSocket>
  void dump(const RequestBatch& request, uint32_t sequence, OnSocket&& onSocket) {
    send(request.bytes());
    for (bool done = false; !done;) {
      DiagReader reader(receive());
      DiagItem item;
      while (!done && reader.next(item)) {
        if (item.sequence != sequence) continue;
        if (item.error != 0) throw kernelError(item.error);
        if (item.kind == DiagItem::Kind::kSocket) onSocket(item.payload);
        done = item.kind == DiagItem::Kind::kDone;
      }
    }
  }

  /**
   * Sends a batch of exact requests, each of which the kernel answers with one message at once. False if
   * answers did not fit the receive buffer and were lost; the received ones were visited.
   */
  template <typename OnItem>
  bool exchange(const RequestBatch& batch, OnItem&& onItem) {
    send(batch.bytes());
    for (size_t answered = 0; answered < batch.count();) {
      const size_t received = receiveMany(batch.count() - answered);
      if (received == 0) return false;
      for (size_t i = 0; i < received; ++i) {
        DiagReader reader(answer(i));
        DiagItem item;
        while (reader.next(item)) onItem(item);
      }
      answered += received;
    }
    return true;
  }

  /** Discards queued answers after a failure. */
  void drain();

  /** Raw answer bytes of one dump, for captures. */
  std::vector<uint8_t> captureDump(const RequestBatch& request);

 private:
  void send(Bytes bytes);
  /** Never blocks: the kernel has queued (the next part of) the answer when send or receive returns. */
  Bytes receive();
  size_t receiveMany(size_t wanted);
  Bytes answer(size_t index) const;
  static Failure kernelError(int error);

  struct Buffers;
  struct BuffersDeleter {
    void operator()(Buffers* buffers) const;
  };
  File file_;
  std::unique_ptr<Buffers, BuffersDeleter> buffers_;
};

}  // namespace mpd
