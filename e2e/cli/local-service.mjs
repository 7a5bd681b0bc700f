/**
 * A service of this machine that no page of the internet should reach: 127.0.0.1:9000.
 *
 * Usage: local-service.mjs FILE. FILE gets a line for each request.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = ''] = process.argv.slice(2);
writeFileSync(file, '');
createServer((request, response) => {
  appendFileSync(file, `${request.method} ${request.url}\n`);
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.end('');
}).listen(9000, '127.0.0.1');
