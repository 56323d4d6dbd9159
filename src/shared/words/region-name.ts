/** A region's code as people write it; the name of a host stays as it is. */
export function formatRegion(code: string): string {
  return /^[a-z]{3}$/.test(code) ? code.toUpperCase() : code;
}
