import type { ShakaRestrictions, ShakaVariant } from './shaka-types';

/** A picture's size in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The view of a player without a limit on the picture's size. */
export const ANY_SIZE: Size = { width: Infinity, height: Infinity };

type Limit = [value: number | undefined, min: number, max: number];

/** True if Shaka's restrictions allow the variant: `StreamUtils.meetsRestrictions` of Shaka Player 5.2. */
function isAllowed(
  { bandwidth, video, audio }: ShakaVariant,
  limits: ShakaRestrictions,
  view: Size,
): boolean {
  // A portrait video counts as if it lay on its side.
  const [height, width] = [video?.height ?? 0, video?.width ?? 0].sort((a, b) => a - b);
  const size: Limit[] =
    height && width
      ? [
          [width, limits.minWidth, Math.min(limits.maxWidth, view.width)],
          [height, limits.minHeight, Math.min(limits.maxHeight, view.height)],
          [width * height, limits.minPixels, limits.maxPixels],
        ]
      : [];
  const all: Limit[] = [
    ...size,
    [video?.frameRate, limits.minFrameRate, limits.maxFrameRate],
    [audio?.channelsCount ?? undefined, limits.minChannelsCount, limits.maxChannelsCount],
  ];
  return (
    // Shaka ignores the limits of a value that the manifest does not state.
    all.every(([value, min, max]) => !value || (value >= min && value <= max)) &&
    bandwidth >= limits.minBandwidth &&
    bandwidth <= limits.maxBandwidth
  );
}

/** The narrowest resolution that covers the view; the view itself if none does. From `SimpleAbrManager` of Shaka Player 5.2. */
function covering(variants: readonly ShakaVariant[], view: Size): Size {
  const [narrowest] = variants
    .flatMap(({ video }) => {
      const { width = 0, height = 0 } = video ?? {};
      return width && height ? [{ width, height }] : [];
    })
    .sort((a, b) => a.width - b.width)
    .filter(({ width, height }) => width >= view.width && height >= view.height);
  return narrowest ?? view;
}

/**
 * The variants within Shaka's restrictions, which bind every AbrManager. Where there is none: the lowest one, as in Shaka.
 * @param view the place where the picture is shown; larger pictures than the first that covers it are left out
 */
export function allowedVariants(
  variants: readonly ShakaVariant[],
  restrictions: ShakaRestrictions | undefined,
  view: Size,
): readonly ShakaVariant[] {
  if (!restrictions) return variants;
  const ascending = [...variants].sort((a, b) => a.bandwidth - b.bandwidth);
  const ofAnySize = ascending.filter((one) => isAllowed(one, restrictions, ANY_SIZE));
  const limit = covering(ofAnySize, view);
  const allowed = variants.filter((one) => isAllowed(one, restrictions, limit));
  return allowed.length > 0 ? allowed : ascending.slice(0, 1);
}
