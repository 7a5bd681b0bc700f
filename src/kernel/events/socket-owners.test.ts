import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createSocketOwners } from './socket-owners';

const owners = createSocketOwners();
afterEach(() => owners.close());

it('the kernel names the owner of a loopback socket, and of none that is closed', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const client = net.connect(port, '127.0.0.1');
  const [accepted] = await Promise.all([
    new Promise<net.Socket>((resolve) => server.once('connection', resolve)),
    new Promise((resolve) => client.once('connect', resolve)),
  ]);
  const local = { address: '127.0.0.1', port: client.localPort ?? 0 };
  const remote = { address: '127.0.0.1', port };
  expect(await owners.ownerOf(local, remote)).toBe(process.getuid?.());
  expect(await owners.ownerOf(local, { ...remote, address: '127.0.0.2' })).toBeUndefined();
  expect(await owners.ownerOf({ ...local, address: '::1' }, remote)).toBeUndefined();
  client.destroy();
  accepted.destroy();
  await expect.poll(() => owners.ownerOf(local, remote)).toBeUndefined();
  server.close();
});
