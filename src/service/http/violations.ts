import type { z } from 'zod';

/** As many violations as a person can use; a body can be made of nothing else. */
const maxSentences = 100;

/**
 * What is wrong with outside input, a sentence per violation with its path: `profiles[0].width: must be at least 128`.
 *
 * Values are never repeated: one of them may be a secret put in the wrong place.
 */
export function formatViolations(error: z.ZodError, input: unknown): string[] {
  const sentences = error.issues.flatMap((issue) => formatIssue(issue, input));
  if (sentences.length <= maxSentences) return sentences;
  return [...sentences.slice(0, maxSentences), `and ${sentences.length - maxSentences} more`];
}

function formatIssue(issue: z.core.$ZodIssue, input: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${formatPath([...issue.path, key])}: is not a property that can be set`);
  }
  return [`${formatPath(issue.path)}: ${formatRule(issue, findValue(input, issue.path))}`];
}

function formatRule(issue: z.core.$ZodIssue, value: unknown): string {
  // The schema's own words, where it has some.
  if (/^(must|cannot) /.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? 'is required' : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `must ${formatBound(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${formatBound(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'invalid_value':
      return value === undefined ? 'is required' : `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`;
    default:
      return issue.message;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function formatBound(origin: string, side: 'at least' | 'at most', bound: number): string {
  const plural = bound === 1 ? '' : 's';
  if (origin === 'string') return `be ${side} ${bound} character${plural} long`;
  if (origin === 'array') return `have ${side} ${bound} element${plural}`;
  return `be ${side} ${bound}`;
}

function findValue(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    input,
  );
}

/** `profiles[0].width`; a key that is no plain name is quoted, and cut when it is long. */
function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[\w$]{1,100}$/.test(String(key))) text += text === '' ? String(key) : `.${String(key)}`;
    else text += `[${JSON.stringify(String(key).slice(0, 100))}]`;
  }
  return text;
}
