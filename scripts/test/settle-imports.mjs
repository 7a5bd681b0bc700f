// Set-up of each unit test file. The player loads parts on demand and waits for none of them. A part that is still loading
// when its file ends would fail the run, though no test failed.
import { afterAll, vi } from 'vitest';

afterAll(() => vi.dynamicImportSettled());
