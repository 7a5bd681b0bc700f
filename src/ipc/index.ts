export * from './limits';
export { EMPTY_STYLE_HASH } from './empty-style';
export * from './page-limits';
export type { Parsed } from './parse';
export * from './feed-down';
export * from './feed-up';
export { parseLogEvent } from './log-schema';
export * from './agent-protocol';
export * from './gateway-protocol';
export {
  GATEWAY_EARLY_HEADER,
  GATEWAY_URL_HEADER,
  gatewayTarget,
  withoutCmcd,
  type GatewayRequest,
} from './gateway-target';
export * from './app-schema';
export { parseNetworks } from './brain-schema';
export * from './decision-text';
export { parseKeyText, parseMediaChoice } from './media-choice';
