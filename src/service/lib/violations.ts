import type { z } from 'zod';
import { ServiceError } from '../../shared/errors.ts';
import type { Violation } from '../../shared/model/violation.ts';

/** As many violations as a person can use; hostile input could have far more. */
const maxViolations = 100;

/** The violations of outside input. They name properties but repeat no values. */
export function findViolations(error: z.ZodError, input: unknown): Violation[] {
  const violations = error.issues.flatMap((issue) => readIssue(issue, input));
  if (violations.length <= maxViolations) return violations;
  return [...violations.slice(0, maxViolations), { code: 'more', count: violations.length - maxViolations }];
}

/** The error for input with these violations. */
export function violationError(
  code: 'MALFORMED_REQUEST' | 'INVALID_INPUT' | 'CONFLICTING_INPUT',
  violations: Violation[],
): ServiceError {
  const [first] = violations;
  return new ServiceError(code, `The input breaks a rule: ${JSON.stringify(first)}`, { details: { violations } });
}

function readIssue(issue: z.core.$ZodIssue, input: unknown): Violation[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ code: 'unknown-property', path: readPath([...issue.path, key]) }));
  }
  return [readRule(issue, readPath(issue.path), findValue(input, issue.path))];
}

function readRule(issue: z.core.$ZodIssue, path: (string | number)[], value: unknown): Violation {
  // Use the schema's own words if it has any.
  if (/^(must|cannot) /.test(issue.message)) return { code: 'rule', path, words: issue.message };
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? { code: 'required', path } : { code: 'wrong-type', path, type: issue.expected };
    case 'too_small':
      return { code: 'too-small', path, of: readOrigin(issue.origin), least: Number(issue.minimum) };
    case 'too_big':
      return { code: 'too-big', path, of: readOrigin(issue.origin), most: Number(issue.maximum) };
    case 'invalid_value':
      return value === undefined
        ? { code: 'required', path }
        : { code: 'not-allowed', path, allowed: readValues(issue.values) };
    default:
      return { code: 'rule', path, words: issue.message };
  }
}

function readOrigin(origin: string): 'length' | 'elements' | 'value' {
  if (origin === 'string') return 'length';
  return origin === 'array' ? 'elements' : 'value';
}

/** Keeps the values that JSON can hold. */
function readValues(values: readonly z.core.util.Primitive[]): (string | number | boolean | null)[] {
  return values.filter((value) => value !== undefined && typeof value !== 'symbol' && typeof value !== 'bigint');
}

/** Turns symbols into strings, since JSON has none. */
function readPath(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'number' ? key : String(key)));
}

function findValue(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    input,
  );
}
