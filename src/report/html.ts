/** Text for an HTML document or a double-quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** JSON that cannot close its script element; numbers to a thousandth, which is finer than any plot. */
export function embedJson(value: unknown): string {
  const short = (_key: string, one: unknown): unknown =>
    typeof one === 'number' ? Math.round(one * 1000) / 1000 : one;
  return JSON.stringify(value, short)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** A table; cells are text. Numeric cells are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string =>
    `<td${/^[-–\d]/.test(text) ? ' class="number"' : ''}>${escapeHtml(text)}</td>`;
  const headHtml = head.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const rowsHtml = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
  return `<table><thead><tr>${headHtml}</tr></thead><tbody>${rowsHtml}</tbody></table>`;
}
