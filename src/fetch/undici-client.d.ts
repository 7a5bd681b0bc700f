/** The client alone: undici's own entry also loads its `fetch`, which takes a newer Node than Electron 22 has. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
