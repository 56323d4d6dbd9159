import { assertNever } from '../assert-never.ts';
import type { Violation, ViolationOf } from '../model/violation.ts';
import { formatRegion } from './region-name.ts';
import { describeSettingSource } from './setting-words.ts';

/** A violation with its path, as in the public interface's answers: `profiles[0].width: must be at least 128`. */
export function describeViolation(violation: Violation): string {
  return violation.code === 'more'
    ? `and ${violation.count} more`
    : `${formatPath(violation.path)}: ${describeRule(violation)}`;
}

/** The violations as screens list them, each sentence once, saying which other screen to correct them on, if any. */
export function explainViolations(violations: readonly Violation[]): string[] {
  return [...new Set(violations.map(explainViolation))];
}

function explainViolation(violation: Violation): string {
  if (!isAboutRegions(violation)) return describeViolation(violation);
  const region = formatRegion(violation.region);
  if (violation.code === 'region-without-urls')
    return `${region} has no URLs of its own: add them in Regions first, or keep a service domain.`;
  return violation.path[0] === 'regionChoice'
    ? `Go live is set to ${region}: choose another region in Regions first.`
    : `${region} is the nearest region of a network: remove that network in Regions first.`;
}

/** What screens say above the list of violations. */
export function summarizeViolations(violations: readonly Violation[]): string {
  return violations.every(isAboutRegions) ? "These settings don't fit together." : "Some of these values aren't valid.";
}

function isAboutRegions(violation: Violation): violation is ViolationOf<'region-without-urls' | 'unknown-region'> {
  return violation.code === 'region-without-urls' || violation.code === 'unknown-region';
}

/** What is wrong, without the path. */
export function describeRule(violation: Exclude<Violation, { code: 'more' }>): string {
  switch (violation.code) {
    case 'unknown-property':
      return 'cannot be set here';
    case 'required':
      return 'is required';
    case 'wrong-type':
      return `must be ${typeNames[violation.type] ?? violation.type}`;
    case 'too-small':
      return `must ${formatBound(violation.of, 'at least', violation.least)}`;
    case 'too-big':
      return `must ${formatBound(violation.of, 'at most', violation.most)}`;
    case 'not-allowed':
      return `must be ${violation.allowed.map((each) => JSON.stringify(each)).join(' or ')}`;
    case 'rule':
      return violation.words;
    case 'name-reserved':
      return '"source" is reserved for the source rendition';
    case 'name-taken':
      return `"${violation.name}" is already used by another profile`;
    case 'fps-differs':
      return `must be ${violation.fps}, as in the first profile: all profiles of a stream share one fps`;
    case 'region-without-urls':
      return `is required for ${violation.region}, since there is no service domain to make the URLs from`;
    case 'unknown-region':
      return `must be a region in the list, and ${violation.region} isn't`;
    case 'given-at-start':
      return `is set ${describeSettingSource(violation.source)}`;
    default:
      return assertNever(violation);
  }
}

/** A path like `profiles[0].width`. Keys that aren't plain names are quoted, and cut at 100 characters. */
export function formatPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'body';
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[\w$]{1,100}$/.test(key)) text += text === '' ? key : `.${key}`;
    else text += `[${JSON.stringify(key.slice(0, 100))}]`;
  }
  return text;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function formatBound(of: ViolationOf<'too-small'>['of'], side: 'at least' | 'at most', bound: number): string {
  const plural = bound === 1 ? '' : 's';
  if (of === 'length') return `be ${side} ${bound} character${plural} long`;
  if (of === 'elements') return `have ${side} ${bound} element${plural}`;
  return `be ${side} ${bound}`;
}
