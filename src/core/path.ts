/** Types of paths and networks that several folders share. */

/** Identifies a path, in texts and as the key of a map: interface name, or local address where no interface is known. */
export type PathId = string;

/** Interface or local address of a path, without the `>remote` of a subflow that goes to another address. */
export function networkOf(pathId: PathId): PathId {
  return pathId.split('>')[0] ?? pathId;
}

/** State of a path as the samples and events show it. `lost`: no subflow, no interface or no address any more. */
export type PathState = 'active' | 'backup' | 'connecting' | 'lost';

/** State that can be asked of a path. `active`: carries data. `backup`: only when no other lives. `closed`: no subflow. */
export type WantedPathState = 'active' | 'backup' | 'closed';

/** The possibility to control paths here. */
export type PathControlCapability =
  | {
      available: true;
      through: 'direct' | 'helper' | 'fake';
      /**
       * `connections`: only the player's own connections change. Otherwise endpoints change, which affects all
       * programs.
       */
      scope?: 'connections' | undefined;
    }
  | {
      available: false;
      /** One line for the viewer: the missing requirement, and its use. */
      reason: string;
    };

/** The viewer's facts about a network. */
export interface NetworkWish {
  /** Path or interface name, as in the samples. */
  network: string;
  /** Bytes cost money or count against a data allowance. */
  metered?: boolean | undefined;
  /** Price of 1e9 bytes in any one currency; orders the metered networks. */
  costPerGb?: number | undefined;
  /** Bytes it may carry: in byte ranges over all streams of the program's run, over MPTCP in each stream. */
  budgetBytes?: number | undefined;
  /** Use it first. */
  preferred?: boolean | undefined;
}
