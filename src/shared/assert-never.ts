/** Closes a `switch` over a union: fails to compile when a case is missing, and throws if one slips through. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected case: ${JSON.stringify(value)}`);
}
