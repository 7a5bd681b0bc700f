import { embedJson, escapeHtml } from './html';

/** The built `src/report/client`: its text is embedded, so that the page loads nothing. */
export interface ReportAssets {
  /** dist/report/report-client.js */
  clientJs: string;
  /** dist/report/report-client.css */
  clientCss: string;
  /** Random per page, [A-Za-z0-9+/=_-]; the policy allows only elements with it. */
  nonce: string;
}

/**
 * One self-contained HTML page with its data.
 * @throws RangeError on a malformed nonce
 */
export function htmlPage(
  title: string,
  body: string,
  data: { id: string; value: unknown },
  assets: ReportAssets,
): string {
  const { nonce } = assets;
  if (!/^[A-Za-z0-9+/=_-]{8,128}$/.test(nonce)) {
    throw new RangeError('assets.nonce must be 8 to 128 characters of base64');
  }
  const policy =
    `default-src 'none'; script-src 'nonce-${nonce}'; ` +
    `style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${assets.clientCss.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
<script type="application/json" id="${data.id}" nonce="${nonce}">${embedJson(data.value)}</script>
<script nonce="${nonce}">${assets.clientJs.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}
