import { pickScheduler, withRoom } from '../pick-scheduler';

/** Networks in turn; one without room is passed over. */
export const roundRobin = pickScheduler<{ last: string }>({
  name: 'round-robin',
  summary: 'Each chunk over the next network in turn',
  start: () => ({ last: '' }),
  pick: (memory, able) => {
    const after = able.findIndex(({ networkId }) => networkId === memory.last) + 1;
    const worker = [...able.slice(after), ...able.slice(0, after)].find(withRoom);
    return { memory: { last: worker?.networkId ?? memory.last }, worker };
  },
});
