/**
 * The value of a filter's option, as it is written in a filter graph.
 *
 * ffmpeg reads it twice: brackets, commas and semicolons end it in the graph, then colons in the filter's options (ffmpeg-filters, "Notes
 * on filtergraph escaping").
 */
export function formatFilterValue(value: string): string {
  return value.replace(/[\\':]/g, String.raw`\$&`).replace(/[\\'[\],;]/g, String.raw`\$&`);
}
