import type { MptcpEndpoint } from '../../kernel';
import type { AbsentEndpoint } from './endpoint-state';

/** One step towards the wanted state. The first group changes the kernel, the second only the record. */
export type EndpointAction =
  /** Deletes an endpoint; `later` is the endpoint that a return restores. */
  | { kind: 'take-out'; endpoint: MptcpEndpoint; later: AbsentEndpoint }
  /** Ends the subflows from an address without an endpoint; `later` as above. */
  | { kind: 'end-first-subflows'; later: AbsentEndpoint }
  /** Adds an endpoint that was taken out, unless another program made one there meanwhile. */
  | { kind: 'put-back'; endpoint: MptcpEndpoint; rejoin: boolean }
  /** Adds an endpoint under a free id. */
  | { kind: 'create'; endpoint: MptcpEndpoint; thenBackup: boolean; rejoin: boolean }
  | { kind: 'set-backup'; endpoint: MptcpEndpoint; backup: boolean }
  /** Sets the opposite of the backup flag and then the flag again. */
  | { kind: 'repeat-backup'; endpoint: MptcpEndpoint; attempt: number }
  /** Deletes and adds an endpoint, so that the kernel connects once more; `later` as above. */
  | { kind: 'rejoin'; endpoint: MptcpEndpoint; attempt: number; later: AbsentEndpoint }
  | { kind: 'note-absent'; item: AbsentEndpoint }
  | { kind: 'forget-absent'; address: string }
  | { kind: 'forget-flag-retries'; address: string }
  | { kind: 'forget-rejoins'; address: string };
