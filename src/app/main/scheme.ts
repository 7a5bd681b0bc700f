/**
 * The app's own URL scheme. `mpdash://app/` is the bundled window, `mpdash://media/<id>/` the folder of an
 * opened MPD. No `file:` URL is ever loaded.
 */
import type { Readable } from 'node:stream';
import { Readable as NodeReadable } from 'node:stream';
import type { CustomScheme, Protocol } from 'electron';
import { errorText } from '../../core';

/** The scheme has no hyphen: dash.js takes schemes with one for relative URLs. */
export const SCHEME = 'mpdash';
export const APP_HOST = 'app';
export const MEDIA_HOST = 'media';
export const APP_ORIGIN = `${SCHEME}://${APP_HOST}`;
export const APP_URL = `${APP_ORIGIN}/index.html`;

/** Must be registered before the app is ready. */
export const schemePrivileges: CustomScheme[] = [
  {
    scheme: SCHEME,
    privileges: {
      standard: true,
      secure: true,
      supportFetchAPI: true,
      corsEnabled: true,
      stream: true,
    },
  },
];

export interface FileResponse {
  status: number;
  headers: Record<string, string>;
  body?: Buffer | Readable;
}

interface FileRequest {
  method: string;
  url: URL;
  range: string | undefined;
}

export type FileServer = (request: FileRequest) => Promise<FileResponse>;

export function refuse(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): FileResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(`${text}\n`),
  };
}

/** The protocol handler of Electron before 25 (still present, deprecated): it answers with a Node stream. */
interface StreamProtocol {
  registerStreamProtocol(
    scheme: string,
    handler: (
      request: { url: string; method: string; headers: Record<string, string> },
      callback: (response: {
        statusCode: number;
        headers: Record<string, string>;
        data: Readable;
      }) => void,
    ) => void,
  ): boolean;
}

async function answer(
  server: FileServer,
  url: string,
  method: string,
  range: string | undefined,
): Promise<FileResponse> {
  try {
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(405, 'only GET', { allow: 'GET, HEAD' });
    const response = await server({ method, url: new URL(url), range });
    if (method === 'HEAD' && response.body !== undefined) {
      if (!Buffer.isBuffer(response.body)) response.body.destroy();
      return { status: response.status, headers: response.headers };
    }
    return response;
  } catch (error) {
    return refuse(500, errorText(error));
  }
}

/** Registers `server` for the scheme, by `protocol.handle` if Electron has it (since 25). */
export function serveScheme(protocol: Protocol, server: FileServer): void {
  const modern: Partial<Pick<Protocol, 'handle'>> = protocol;
  if (modern.handle !== undefined) {
    protocol.handle(SCHEME, async (request) => {
      const range = request.headers.get('range') ?? undefined;
      const { status, headers, body } = await answer(server, request.url, request.method, range);
      const content =
        body === undefined || Buffer.isBuffer(body)
          ? (body ?? null)
          : (NodeReadable.toWeb(body) as ReadableStream<Uint8Array>);
      return new Response(content, { status, headers });
    });
    return;
  }
  const legacy: StreamProtocol = protocol;
  legacy.registerStreamProtocol(SCHEME, (request, callback) => {
    const range = Object.entries(request.headers).find(([name]) => /^range$/i.test(name))?.[1];
    void answer(server, request.url, request.method, range).then(({ status, headers, body }) => {
      const data =
        body === undefined || Buffer.isBuffer(body)
          ? NodeReadable.from(body === undefined ? [] : [body])
          : body;
      callback({ statusCode: status, headers, data });
    });
  });
}
