/**
 * The panel shows the player's decisions, path by path.
 * @packageDocumentation
 */
export { mountPanel, type Panel, type PanelOptions, type PanelPlayer } from './panel/mount-panel';
