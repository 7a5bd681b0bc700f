import {
  encodeRouteLookup,
  encodeSystemRouteLookup,
  GET_ROUTE_MESSAGE,
  isUsableRoute,
  routeInterface,
} from '../codec';
import { createNetlinkQuestions } from './netlink-questions';

export interface RouteLookup {
  /**
   * True if the routing tables send packets from our address to the remote over that interface; without an address, from
   * the one that the kernel chooses. Undefined if they cannot be asked. Never rejects.
   */
  reaches(
    to: string,
    from: string | undefined,
    interfaceIndex: number,
  ): Promise<boolean | undefined>;
  /**
   * Index of the interface over which the system itself sends to an address. Undefined if the tables cannot be asked.
   * Never rejects.
   */
  interfaceTo(to: string): Promise<number | 'none' | undefined>;
  close(): void;
}

/** Asks this network namespace's routing tables; needs no privilege. */
export function createRouteLookup(): RouteLookup {
  const questions = createNetlinkQuestions(({ ROUTE }) => ROUTE);
  return {
    async reaches(to, from, interfaceIndex) {
      const answers = await questions.ask(GET_ROUTE_MESSAGE, () =>
        encodeRouteLookup(to, from, interfaceIndex),
      );
      if (answers === undefined) return undefined;
      return answers !== 'refused' && answers.some(isUsableRoute);
    },
    async interfaceTo(to) {
      const answers = await questions.ask(GET_ROUTE_MESSAGE, () => encodeSystemRouteLookup(to));
      if (answers === undefined) return undefined;
      const [answer] = answers === 'refused' ? [] : answers;
      return (answer && routeInterface(answer)) ?? 'none';
    },
    close: () => questions.close(),
  };
}
