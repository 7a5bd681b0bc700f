// The dumbbell of scripts/truth/dumbbell.ts in ns-3: the same links, queues and TCP settings.
// Build (ns3.ts does): c++ -O2 dumbbell.cc $(pkg-config --cflags --libs ns3-applications ns3-point-to-point ns3-traffic-control)
// Prints one JSON object; times of the run itself are real, all else is simulated.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

using namespace ns3;

namespace {

constexpr int kFastFactor = 10;
constexpr int kStartGapMs = 100;

struct Options {
  uint32_t flows = 1;
  uint64_t rateBps = 10000000;
  uint32_t delayMs = 18;
  std::string queue = "droptail";
  uint32_t queuePackets = 100;
  double targetMs = 15;
  double seconds = 60;
  double warmUpSeconds = 10;
  std::string congestion = "cubic";
  uint32_t seed = 1;
  bool delays = false;
};

/** Mean time in the bottleneck's queue, device included: from the queue discipline to the first bit sent. */
class QueueDelay {
public:
  explicit QueueDelay(Time from) : from_(from) {}
  void OnEnqueue(Ptr<const QueueDiscItem> item) {
    arrived_[item->GetPacket()->GetUid()] = Simulator::Now();
  }
  void OnSend(Ptr<const Packet> packet) {
    const auto arrived = arrived_.find(packet->GetUid());
    if (arrived == arrived_.end()) return;
    if (Simulator::Now() >= from_) {
      total_ += Simulator::Now() - arrived->second;
      ++count_;
    }
    arrived_.erase(arrived);
  }
  double MeanMs() const {
    return count_ == 0 ? 0 : total_.GetNanoSeconds() / 1e6 / static_cast<double>(count_);
  }

private:
  Time from_;
  Time total_;
  uint64_t count_ = 0;
  std::unordered_map<uint64_t, Time> arrived_;
};

/**
 * ns-3's Cubic with the slow start of the RFCs. Its own adds every segment that an acknowledgement covers, without
 * regard to the threshold. After a time-out one acknowledgement covers all that the receiver had kept, so the
 * window grows from 1 to 100 and more at once.
 */
class LimitedCubic : public TcpCubic {
public:
  static TypeId GetTypeId() {
    static TypeId type =
        TypeId("LimitedCubic").SetParent<TcpCubic>().AddConstructor<LimitedCubic>();
    return type;
  }
  void IncreaseWindow(Ptr<TcpSocketState> state, uint32_t segmentsAcked) override {
    if (state->m_cWnd < state->m_ssThresh) {
      // RFC 3465, section 2.3: two segments an acknowledgement, one after a time-out.
      const uint32_t limit = timedOut_ ? 1 : 2;
      // RFC 5681, section 3.1: slow start ends at the threshold.
      const uint32_t room = state->m_ssThresh - state->m_cWnd;
      const uint32_t roomSegments = (room - 1) / state->m_segmentSize + 1;
      segmentsAcked = std::min({segmentsAcked, limit, roomSegments});
    }
    TcpCubic::IncreaseWindow(state, segmentsAcked);
  }
  void CongestionStateSet(Ptr<TcpSocketState> state,
                          const TcpSocketState::TcpCongState_t newState) override {
    if (newState == TcpSocketState::CA_LOSS) timedOut_ = true;
    TcpCubic::CongestionStateSet(state, newState);
  }
  Ptr<TcpCongestionOps> Fork() override { return CopyObject<LimitedCubic>(this); }

private:
  bool timedOut_ = false;
};

TypeId CongestionType(const std::string &name) {
  if (name == "cubic") return LimitedCubic::GetTypeId();
  return TypeId::LookupByName(name == "reno" ? "ns3::TcpLinuxReno" : "ns3::TcpCubic");
}

void SetTcp(const Options &options) {
  Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(CongestionType(options.congestion)));
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
  Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(6291456));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(6291456));
  Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
  Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
  Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(true));
}

/** Puts the discipline towards the receivers; the device behind it holds one packet. */
Ptr<QueueDisc> SetQueue(const Options &options, Ptr<NetDevice> device) {
  TrafficControlHelper control;
  const QueueSizeValue limit(QueueSize(QueueSizeUnit::PACKETS, options.queuePackets));
  const TimeValue target(NanoSeconds(static_cast<int64_t>(options.targetMs * 1e6)));
  if (options.queue == "pie") {
    control.SetRootQueueDisc("ns3::PieQueueDisc", "MaxSize", limit, "QueueDelayReference", target,
                             "UseDerandomization", BooleanValue(true));
  } else if (options.queue == "fq_pie") {
    control.SetRootQueueDisc("ns3::FqPieQueueDisc", "MaxSize", limit, "QueueDelayReference",
                             target, "UseDerandomization", BooleanValue(true));
  } else {
    control.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", limit);
  }
  TrafficControlHelper remover;
  remover.Uninstall(device);
  return control.Install(device).Get(0);
}

} // namespace

int main(int argc, char *argv[]) {
  Options options;
  CommandLine command;
  command.AddValue("flows", "number of downloads", options.flows);
  command.AddValue("rate", "of the slow link, bit/s", options.rateBps);
  command.AddValue("delay", "of the slow link one way, ms", options.delayMs);
  command.AddValue("queue", "droptail, pie or fq_pie", options.queue);
  command.AddValue("packets", "the queue's limit", options.queuePackets);
  command.AddValue("target", "of PIE, ms", options.targetMs);
  command.AddValue("seconds", "to simulate", options.seconds);
  command.AddValue("warmup", "seconds before measuring begins", options.warmUpSeconds);
  command.AddValue("congestion", "cubic, reno, or cubic-ns3 for ns-3's own slow start", options.congestion);
  command.AddValue("seed", "of random numbers", options.seed);
  command.AddValue("delays", "measure the queue's delay, which takes time", options.delays);
  command.Parse(argc, argv);
  RngSeedManager::SetSeed(options.seed);
  SetTcp(options);

  NodeContainer routers;
  routers.Create(2);
  NodeContainer servers;
  servers.Create(options.flows);
  NodeContainer clients;
  clients.Create(options.flows);
  InternetStackHelper stack;
  stack.InstallAll();

  PointToPointHelper slow;
  slow.SetDeviceAttribute("DataRate", DataRateValue(DataRate(options.rateBps)));
  slow.SetChannelAttribute("Delay", TimeValue(MilliSeconds(options.delayMs)));
  slow.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
  PointToPointHelper fast;
  fast.SetDeviceAttribute("DataRate", DataRateValue(DataRate(options.rateBps * kFastFactor)));
  fast.SetChannelAttribute("Delay", TimeValue(MilliSeconds(1)));
  fast.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));

  Ipv4AddressHelper address;
  const NetDeviceContainer slowDevices = slow.Install(routers.Get(0), routers.Get(1));
  address.SetBase("10.0.0.0", "255.255.255.0");
  address.Assign(slowDevices);
  const Ptr<QueueDisc> bottleneck = SetQueue(options, slowDevices.Get(0));
  std::vector<Ipv4Address> receivers;
  for (uint32_t i = 0; i < options.flows; ++i) {
    address.SetBase(("10.1." + std::to_string(i) + ".0").c_str(), "255.255.255.0");
    address.Assign(fast.Install(servers.Get(i), routers.Get(0)));
    address.SetBase(("10.2." + std::to_string(i) + ".0").c_str(), "255.255.255.0");
    receivers.push_back(
        address.Assign(fast.Install(routers.Get(1), clients.Get(i))).GetAddress(1));
  }
  Ipv4GlobalRoutingHelper::PopulateRoutingTables();

  constexpr uint16_t kPort = 5000;
  std::vector<Ptr<PacketSink>> sinks;
  for (uint32_t i = 0; i < options.flows; ++i) {
    BulkSendHelper source("ns3::TcpSocketFactory", InetSocketAddress(receivers[i], kPort));
    source.SetAttribute("SendSize", UintegerValue(1448));
    source.Install(servers.Get(i)).Start(MilliSeconds(i * kStartGapMs + 1));
    PacketSinkHelper sink("ns3::TcpSocketFactory",
                          InetSocketAddress(Ipv4Address::GetAny(), kPort));
    sinks.push_back(DynamicCast<PacketSink>(sink.Install(clients.Get(i)).Get(0)));
  }

  QueueDelay queueDelay(Seconds(options.warmUpSeconds));
  const Ptr<PointToPointNetDevice> device =
      DynamicCast<PointToPointNetDevice>(slowDevices.Get(0));
  if (options.delays) {
    bottleneck->TraceConnectWithoutContext("Enqueue",
                                           MakeCallback(&QueueDelay::OnEnqueue, &queueDelay));
    device->TraceConnectWithoutContext("PhyTxBegin",
                                       MakeCallback(&QueueDelay::OnSend, &queueDelay));
  }

  std::vector<uint64_t> before(options.flows, 0);
  Simulator::Schedule(Seconds(options.warmUpSeconds), [&] {
    for (uint32_t i = 0; i < options.flows; ++i) before[i] = sinks[i]->GetTotalRx();
  });
  Simulator::Stop(Seconds(options.seconds));
  const auto started = std::chrono::steady_clock::now();
  Simulator::Run();
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - started;

  std::printf("{\"goodputBps\":[");
  for (uint32_t i = 0; i < options.flows; ++i) {
    const double measured = options.seconds - options.warmUpSeconds;
    std::printf("%s%.0f", i == 0 ? "" : ",",
                static_cast<double>(sinks[i]->GetTotalRx() - before[i]) * 8 / measured);
  }
  const QueueDisc::Stats &stats = bottleneck->GetStats();
  std::printf("],\"queueDelayMs\":%.4f,\"drops\":%u,\"packets\":%u,\"events\":%llu,\"wallMs\":%.1f}\n",
              queueDelay.MeanMs(), stats.nTotalDroppedPackets, stats.nTotalDequeuedPackets,
              static_cast<unsigned long long>(Simulator::GetEventCount()), took.count());
  Simulator::Destroy();
  return 0;
}
