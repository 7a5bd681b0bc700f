/** The client alone. undici's own entry also loads its `fetch`, which needs a newer Node than that of Electron 22. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
