/** Returns true if a window can be shown. */
export function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return [DISPLAY, WAYLAND_DISPLAY].some(Boolean);
}
