import { describeLeftover, findLeftovers, removeLeftovers } from '../../lab';
import { print } from '../../runner/host';

/**
 * `multipath-dash lab clean`: removes the leftovers of crashed runs, and only items with this program's name.
 */
export async function clean(options: { dryRun: boolean; json: boolean }): Promise<void> {
  const found = await findLeftovers();
  if (!options.dryRun) await removeLeftovers(found);
  if (options.json) {
    print(process.stdout, `${JSON.stringify({ removed: !options.dryRun, leftovers: found })}\n`);
    return;
  }
  if (found.length === 0) print(process.stdout, 'nothing is left of earlier runs\n');
  const verb = options.dryRun ? 'would remove' : 'removed';
  for (const leftover of found) print(process.stdout, `${verb} ${describeLeftover(leftover)}\n`);
}
