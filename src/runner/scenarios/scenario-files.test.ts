import { expect, it } from 'vitest';
import { scenarioFiles } from './scenario-files';

it('names the nearest bundled scenario', () => {
  expect(() => scenarioFiles('decisions/two-simlar')).toThrow('mean decisions/two-similar?');
  expect(() => scenarioFiles('path-flap.yaml')).toThrow('did you mean decisions/path-flaps?');
  expect(() => scenarioFiles('qqqqqqqqqqqq')).toThrow('see `multipath-dash lab list`');
  expect(scenarioFiles('decisions/two-similar')).toHaveLength(1);
});
