import { expect, it } from 'vitest';
import { programFolders } from './program-folders';

const SBIN = '/usr/local/sbin:/usr/sbin:/sbin';

it('adds the folders of administration', () => {
  expect(programFolders('/opt/bin:/bin')).toBe(`/opt/bin:/bin:${SBIN}`);
});

it('never searches the working folder', () => {
  for (const path of [undefined, '', ':', '/bin:', ':/bin', '/bin::/opt']) {
    expect(programFolders(path).split(':'), String(path)).not.toContain('');
  }
  expect(programFolders('')).toBe(`/usr/local/bin:/usr/bin:/bin:${SBIN}`);
});
