#!/bin/sh
# Records testdata/*.bin: the kernel's answers about real MPTCP connections with several subflows, over IPv4 and
# IPv6. They come from the client and from a dual-stack server, whose IPv4 peers are v4-mapped.
# Needs root, iproute2, mptcpize and `make addon tools`. Usage: tools/record.sh
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

if [ "${1-}" != inside ]; then
  exec unshare --net --mount --pid --fork --kill-child --mount-proc "$0" inside
fi

mount -t tmpfs none /run
mkdir /run/netns
ip link set lo up
ip netns add server
ip -n server link set lo up
for i in 1 2; do
  ip link add "c$i" type veth peer name "s$i" netns server
  ip address add "10.9.$i.1/24" dev "c$i"
  ip address add "fd09:$i::1/64" dev "c$i" nodad
  ip link set "c$i" up
  ip -n server address add "10.9.$i.2/24" dev "s$i"
  ip -n server address add "fd09:$i::2/64" dev "s$i" nodad
  ip -n server link set "s$i" up
done
ip mptcp limits set subflows 4 add_addr_accepted 4
ip -n server mptcp limits set subflows 4 add_addr_accepted 4
ip mptcp endpoint add 10.9.2.1 dev c2 subflow backup
ip mptcp endpoint add fd09:2::1 dev c2 subflow
ip -n server mptcp endpoint add 10.9.2.2 dev s2 signal
ip -n server mptcp endpoint add fd09:2::2 dev s2 signal

ip netns exec server mptcpize run node -e '
  require("node:net").createServer((socket) => {
    socket.on("data", () => socket.write(Buffer.alloc(200000)));
    socket.on("error", () => {});
  }).listen(7000, "::");
' &
server=$!

node -e '
  const { execFileSync } = require("node:child_process");
  const { writeSync } = require("node:fs");
  const { setTimeout: sleep } = require("node:timers/promises");
  const here = process.argv[1];
  const native = require(here + "/build/multipath_dash.node");
  const connect = async (address) => {
    for (let tries = 0; ; tries += 1) {
      try { return await native.connectMptcp({ address, port: 7000 }); } catch (error) {
        if (tries === 50) throw error;
        await sleep(100);
      }
    }
  };
  const record = (side, ...prefix) => {
    for (const protocol of ["tcp", "mptcp"]) {
      const [command, ...rest] = [...prefix, here + "/build/record", protocol, here + "/testdata/" + side + "-" + protocol + ".bin"];
      execFileSync(command, rest, { stdio: "inherit" });
    }
  };
  (async () => {
    const fds = [await connect("10.9.1.2"), await connect("fd09:1::2")];
    for (const fd of fds) writeSync(fd, ".");
    for (let tries = 0; native.snapshot().subflows.filter((s) => s.fullyEstablished).length < 6; tries += 1) {
      if (tries === 100) throw new Error("the subflows did not form");
      await sleep(100);
    }
    record("client");
    const [fd] = fds;
    execFileSync(here + "/build/record", ["full-info", process.pid, fd, here + "/testdata/client-full-info.bin"]);
    record("server", "ip", "netns", "exec", "server");
  })().catch((error) => { console.error(error); process.exitCode = 1; });
' "$here"
kill "$server"
