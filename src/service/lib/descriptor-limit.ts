/**
 * How many file descriptors (sockets, files and pipes) this process may open; Infinity if the system does not say.
 *
 * Node raises the soft limit to the hard limit at startup. Windows has no relevant limit.
 */
export function findDescriptorLimit(): number {
  if (process.platform === 'win32' || process.report === undefined) return Number.POSITIVE_INFINITY;
  // Resolving network interfaces may take seconds and is not needed here.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
