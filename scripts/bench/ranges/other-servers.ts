// Servers and caches other than the lab's nginx, each started with a configuration of its own.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

export interface Site {
  netns: string;
  address: string;
  port: number;
  /** Folder to serve. */
  root: string;
  /** An own folder for configuration, logs and process ids. */
  dir: string;
  /** Port of an nginx at the same address with the same files, for caches and proxies. */
  originPort: number;
}

interface Program {
  /** Files of its folder by name. */
  files?: Record<string, string>;
  command: string[];
  env?: Record<string, string>;
}

const ats = (dir: string): string => `${dir}/ats`;

/** By name: the configuration with which it serves a site in the foreground. */
export const OTHER_SERVERS: Record<string, (site: Site) => Program> = {
  apache: ({ address, port, root, dir }) => ({
    files: {
      'httpd.conf': `ServerName lab
Listen ${address}:${port}
PidFile ${dir}/httpd.pid
DefaultRuntimeDir ${dir}
Mutex file:${dir} default
ErrorLog ${dir}/error.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
DocumentRoot ${root}
<Directory ${root}>
Require all granted
</Directory>
`,
    },
    command: ['apache2', '-D', 'FOREGROUND', '-f', `${dir}/httpd.conf`],
  }),
  lighttpd: ({ address, port, root, dir }) => ({
    files: {
      'lighttpd.conf': `server.document-root = "${root}"
server.bind = "${address}"
server.port = ${port}
server.errorlog = "${dir}/error.log"
mimetype.assign = ( ".m4s" => "video/mp4" )
`,
    },
    command: ['lighttpd', '-D', '-f', `${dir}/lighttpd.conf`],
  }),
  caddy: ({ address, port, root, dir }) => ({
    command: ['caddy', 'file-server', '--root', root, '--listen', `${address}:${port}`],
    env: { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
  }),
  h2o: ({ address, port, root, dir }) => ({
    files: {
      'h2o.yaml': `listen: { host: ${address}, port: ${port} }
user: root
error-log: ${dir}/error.log
hosts:
  default:
    paths:
      /: { file.dir: ${root} }
`,
    },
    command: ['h2o', '-c', `${dir}/h2o.yaml`],
  }),
  webfs: ({ address, port, root }) => ({
    command: ['webfsd', '-F', '-p', `${port}`, '-i', address, '-r', root],
  }),
  busybox: ({ address, port, root }) => ({
    command: ['busybox', 'httpd', '-f', '-p', `${address}:${port}`, '-h', root],
  }),
  python: ({ address, port, root }) => ({
    command: ['python3', '-m', 'http.server', '--bind', address, '-d', root, `${port}`],
  }),
  haproxy: ({ address, port, dir, originPort }) => ({
    files: {
      'haproxy.cfg': `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend lab
  bind ${address}:${port}
  default_backend origin
backend origin
  server origin ${address}:${originPort}
`,
    },
    command: ['haproxy', '-db', '-f', `${dir}/haproxy.cfg`],
  }),
  varnish: ({ address, port, dir, originPort }) => ({
    command: [
      ...['varnishd', '-F', '-n', `${dir}/varnish`, '-s', 'malloc,256m', '-T', 'none'],
      ...['-j', 'none', '-a', `${address}:${port}`, '-b', `${address}:${originPort}`],
    ],
  }),
  squid: ({ address, port, dir, originPort }) => ({
    files: {
      'squid.conf': `http_port ${address}:${port} accel defaultsite=${address} no-vhost
cache_peer ${address} parent ${originPort} 0 no-query originserver
http_access allow all
pid_filename ${dir}/squid.pid
access_log none
cache_log ${dir}/cache.log
coredump_dir ${dir}
cache_mem 256 MB
maximum_object_size_in_memory 64 MB
cache_effective_user nobody
cache_effective_group nogroup
pinger_enable off
shutdown_lifetime 1 seconds
`,
    },
    command: ['squid', '-N', '-d', '1', '-f', `${dir}/squid.conf`],
  }),
  trafficserver: ({ address, port, dir, originPort }) => ({
    files: {
      'records.config': `CONFIG proxy.config.http.server_ports STRING ${port}:ip-in=${address}
CONFIG proxy.config.admin.user_id STRING nobody
CONFIG proxy.config.url_remap.remap_required INT 1
CONFIG proxy.config.http.cache.required_headers INT 0
`,
      'remap.config': `map http://${address}:${port}/ http://${address}:${originPort}/\n`,
      'storage.config': `${dir} 64M\n`,
      'ip_allow.yaml': `ip_allow:
  - { apply: in, ip_addrs: 0/0, action: allow, methods: ALL }
`,
    },
    command: ['traffic_server'],
    env: {
      PROXY_CONFIG_CONFIG_DIR: dir,
      PROXY_CONFIG_LOCAL_STATE_DIR: ats(dir),
      PROXY_CONFIG_LOG_LOGFILE_DIR: ats(dir),
    },
  }),
};

const READY_MS = 20_000;
const END_MS = 3000;

/**
 * Starts one of {@link OTHER_SERVERS} in the site's namespace and waits until its port answers.
 * @throws Error with its last words, if it ends before
 */
export async function startOtherServer(
  name: string,
  site: Site,
): Promise<{ stop(): Promise<void> }> {
  const make = OTHER_SERVERS[name];
  if (make === undefined) throw new Error(`there is no server ${name}`);
  const { files = {}, command, env } = make(site);
  mkdirSync(ats(site.dir), { recursive: true });
  // Some of them give up root.
  for (const folder of [site.dir, ats(site.dir)]) chmodSync(folder, 0o777);
  for (const [file, text] of Object.entries(files)) writeFileSync(`${site.dir}/${file}`, text);
  const child = spawn('nsenter', [`--net=${site.netns}`, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let words = '';
  const hear = (chunk: Buffer): void => void (words = (words + chunk.toString()).slice(-2000));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      words += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(timer);
  };
  const isGone = ended.then(() => true);
  const deadlineMs = performance.now() + READY_MS;
  while (performance.now() < deadlineMs) {
    const answers = await Promise.race([isGone.then(() => undefined), answersAt(site)]);
    if (answers === undefined) throw new Error(`${name} ended: ${words.trim()}`);
    if (answers) return { stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`${name} does not answer: ${words.trim()}`);
}

/** A handshake over the emulated links: the client's namespace is this process's own. */
function answersAt({ address, port }: Site): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    socket.setTimeout(2000, () => socket.destroy());
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
