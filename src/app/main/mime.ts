import path from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.mpd': 'application/dash+xml',
  '.xml': 'application/xml',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.webm': 'video/webm',
  '.vtt': 'text/vtt; charset=utf-8',
  '.ttml': 'application/ttml+xml',
};

/** Media type by file name; plain bytes if the name gives none. */
export function mimeType(name: string): string {
  return types[path.extname(name).toLowerCase()] ?? 'application/octet-stream';
}
