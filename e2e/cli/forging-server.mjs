/**
 * A server of the internet whose manifest sends the player to a local service: a clock, error reports, a callback and a
 * base URL. It listens in a network namespace made for it.
 *
 * Usage: forging-server.mjs FOLDER ADDRESS
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const [folder = '', address = ''] = process.argv.slice(2);
const local = 'http://127.0.0.1:9000';

const forgedManifest = () =>
  readFileSync(path.join(folder, 'stream.mpd'), 'utf8')
    .replace('<MPD', '<MPD xmlns:dvb="urn:dvb:dash:dash-extensions:2014-1"')
    .replace(
      /<Period[^>]*>/,
      (period) => `<BaseURL serviceLocation="near">http://${address}:8000/</BaseURL>
    <BaseURL serviceLocation="local">${local}/base/</BaseURL>
    ${period}
    <EventStream schemeIdUri="urn:mpeg:dash:event:callback:2015" value="1" timescale="1">
      <Event presentationTime="0" duration="1" id="1">${local}/callback</Event>
    </EventStream>`,
    )
    .replace(
      '</MPD>',
      `<Metrics metrics="DVBErrors">
      <Reporting schemeIdUri="urn:dvb:dash:reporting:2014" value="1" dvb:reportingUrl="${local}/report" dvb:probability="1000"/>
    </Metrics>
    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-xsdate:2014" value="${local}/clock"/>
    </MPD>`,
    );

createServer((request, response) => {
  const name = path.basename(new URL(request.url ?? '/', 'http://x').pathname);
  response.setHeader('Access-Control-Allow-Origin', '*');
  try {
    response.end(name === 'stream.mpd' ? forgedManifest() : readFileSync(path.join(folder, name)));
  } catch {
    response.writeHead(404).end();
  }
}).listen(8000, address);
