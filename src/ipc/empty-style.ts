/**
 * Hash, for a content security policy, of a `<style>` without content, which the controls' library creates and fills
 * through the CSSOM.
 */
export const EMPTY_STYLE_HASH = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
