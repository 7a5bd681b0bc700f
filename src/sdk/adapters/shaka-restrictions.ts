import type { ShakaRestrictions, ShakaVariant } from './shaka-types';

type Limit = [value: number | undefined, min: number, max: number];

/** True if Shaka's restrictions allow the variant: `StreamUtils.meetsRestrictions` of Shaka Player 5.2. */
function isAllowed({ bandwidth, video, audio }: ShakaVariant, limits: ShakaRestrictions): boolean {
  // A portrait video counts as if it lay on its side.
  const [height, width] = [video?.height ?? 0, video?.width ?? 0].sort((a, b) => a - b);
  const size: Limit[] =
    height && width
      ? [
          [width, limits.minWidth, limits.maxWidth],
          [height, limits.minHeight, limits.maxHeight],
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

/** The variants within Shaka's restrictions, which bind every AbrManager. Where there is none: the lowest one, as in Shaka. */
export function allowedVariants(
  variants: readonly ShakaVariant[],
  restrictions: ShakaRestrictions | undefined,
): readonly ShakaVariant[] {
  if (!restrictions) return variants;
  const allowed = variants.filter((one) => isAllowed(one, restrictions));
  if (allowed.length > 0) return allowed;
  return [...variants].sort((a, b) => a.bandwidth - b.bandwidth).slice(0, 1);
}
