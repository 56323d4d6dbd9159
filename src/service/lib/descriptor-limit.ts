/**
 * How many descriptors the operating system gives this process: sockets, files and pipes together. Infinity where it does not say.
 *
 * Node raises the soft limit to the hard one at its start, and Windows has none that matters.
 */
export function findDescriptorLimit(): number {
  if (process.platform === 'win32' || process.report === undefined) return Number.POSITIVE_INFINITY;
  // Network interfaces may take seconds to resolve, and say nothing of descriptors.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
