import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { check, all } = observe('src/path-control/testing/helper-attack-scenario.ts', 240_000);

describe('the helper, attacked by another user on a real kernel', () => {
  check('cannot be started outside its group', () => {
    expect(all('outside the group')).toEqual([expect.stringContaining('Permission denied')]);
  });

  check('does nothing for a user without a connection', () => {
    expect(all('without connection')).toMatchObject([{ done: [] }]);
    expect(all('as found after without')).toEqual([true]);
  });

  check('does nothing for a connection to oneself', () => {
    expect(all('connected to oneself')).toEqual([['10.0.1.2', '10.0.2.2', '10.0.3.2', '10.0.4.2']]);
    expect(all('to oneself')).toMatchObject([{ done: [] }]);
    expect(all('as found after toOneself')).toEqual([true]);
  });

  check('does nothing for an unanswered connection', () => {
    expect(all('unanswered')).toMatchObject([{ done: [] }]);
    expect(all('as found after unanswered')).toEqual([true]);
  });

  check('keeps the administrator’s endpoints, whichever connections use them', () => {
    const refused = { done: [], codes: ['foreign', 'malformed'] };
    // The second time a file permits them, but its owner is not root.
    expect(all('with a stream')).toEqual([refused, refused]);
    expect(all('as found after withStream')).toEqual([true]);
  });

  check('lends the backup flag of a plain endpoint where the administrator says so', () => {
    expect(all('lent')).toMatchObject([{ done: ['backup 2 10.0.2.2 on'] }]);
    expect(all('lent backup')).toEqual([true]);
    expect(all('as found after lending')).toEqual([true]);
  });

  check('makes no endpoint at an address that is none of a network, also beside a stream', () => {
    expect(all('nowhere')).toEqual([{ done: [], codes: ['missing'] }]);
  });

  check('takes away what it made, however it ends', () => {
    const made = ['ok', 'ok', 'ok'];
    expect(all('made')).toEqual([made, made, made]);
    expect(all('gone after the helper was killed')).toEqual([true]);
    expect(all('gone after its second process was killed')).toEqual([true]);
    expect(all('gone after it ran out of descriptors')).toEqual([true]);
  });

  check('makes no endpoint that would affect another user’s connection', () => {
    expect(all('beside others')).toEqual([['denied', 'denied']]);
  });
});
