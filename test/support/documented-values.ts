import fc from 'fast-check';
import { fastify } from 'fastify';
import { anyText } from './any-text.ts';

/** A JSON Schema of our OpenAPI document, with the two rules that JSON Schema cannot express. */
export interface DocumentedSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  minProperties?: number;
  items?: DocumentedSchema;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  'x-uniqueBy'?: string;
  'x-sameValue'?: string;
  'x-notWith'?: string;
}

type Judge = (value: unknown) => boolean;

/** Validates and generates values as a client does that knows only the document. */
export class DocumentedValues {
  readonly #schemas: Record<string, DocumentedSchema>;
  readonly #compile: (schema: object) => Judge;
  readonly #validators = new Map<DocumentedSchema, Judge>();

  private constructor(schemas: Record<string, DocumentedSchema>, compile: (schema: object) => Judge) {
    this.#schemas = schemas;
    this.#compile = compile;
  }

  /** Works on the schemas of a document's components, with the JSON Schema validator that Fastify ships (Ajv). */
  static async open(schemas: Record<string, DocumentedSchema>): Promise<DocumentedValues> {
    const asIs = { coerceTypes: false, removeAdditional: false, useDefaults: false, strict: false } as const;
    const app = fastify({ ajv: { customOptions: asIs } });
    const compiler = Promise.withResolvers<(schema: object) => Judge>();
    app.get('/', (request, reply) => {
      compiler.resolve((schema) => request.compileValidationSchema(schema as Record<string, unknown>) as Judge);
      reply.send();
    });
    await app.inject('/');
    return new DocumentedValues(schemas, await compiler.promise);
  }

  /** Whether the document allows a value. */
  allows(schema: DocumentedSchema, value: unknown): boolean {
    let isValid = this.#validators.get(schema);
    if (isValid === undefined) {
      isValid = this.#compile(this.#inline(schema) as object);
      this.#validators.set(schema, isValid);
    }
    return isValid(value) && this.#keepsOwnRules(schema, value);
  }

  /** Values that the document allows. */
  make(schema: DocumentedSchema): fc.Arbitrary<unknown> {
    const { type, properties = {}, required = [], items = {}, ...bounds } = this.#resolve(schema);
    switch (type) {
      case 'object':
        return fc
          .record(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, this.make(each)])), {
            requiredKeys: required,
          })
          .filter((value) => Object.keys(value).length >= (bounds.minProperties ?? 0));
      case 'array':
        return this.#makeArray(items, bounds);
      case 'string':
        return this.#makeText(schema);
      case 'integer':
        return fc.integer({ min: bounds.minimum ?? -(2 ** 31), max: bounds.maximum ?? 2 ** 31 - 1 });
      case 'boolean':
        return fc.boolean();
      default:
        throw new Error(`No value can be generated for ${JSON.stringify(schema)}.`);
    }
  }

  #makeArray(items: DocumentedSchema, { maxItems, ...rules }: DocumentedSchema): fc.Arbitrary<unknown[]> {
    const uniqueBy = rules['x-uniqueBy'];
    const sameValue = rules['x-sameValue'];
    const each = this.make(items) as fc.Arbitrary<Record<string, unknown>>;
    const max = maxItems === undefined ? {} : { maxLength: maxItems };
    const list =
      uniqueBy === undefined ? fc.array(each, max) : fc.uniqueArray(each, { ...max, selector: (value) => value[uniqueBy] });
    if (sameValue === undefined) return list;
    return list.map((values) => values.map((value) => ({ ...value, [sameValue]: values[0]?.[sameValue] })));
  }

  #makeText(schema: DocumentedSchema): fc.Arbitrary<string> {
    const { minLength = 0, maxLength = 1_000, pattern } = schema;
    const characters = fc.oneof(
      anyText({ minLength, maxLength }),
      fc.string({ unit: 'grapheme', minLength, maxLength }),
      // As long as allowed, of characters that are two UTF-16 code units each.
      fc.constantFrom('x'.repeat(maxLength), '🎥'.repeat(maxLength)),
      ...(pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern))]),
    );
    return characters.filter((text) => this.allows(schema, text));
  }

  #resolve(schema: DocumentedSchema): DocumentedSchema {
    return schema.$ref === undefined ? schema : this.#resolve(this.#schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  }

  /** Resolves every reference; ours are never circular. */
  #inline(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.#inline(each));
    if (typeof schema !== 'object' || schema === null) return schema;
    if ('$ref' in schema) return this.#inline(this.#resolve(schema as DocumentedSchema));
    return Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, this.#inline(each)]));
  }

  /** Collects `x-uniqueBy` and `x-sameValue` at any depth. */
  #keepsOwnRules(schema: DocumentedSchema, value: unknown): boolean {
    const { properties = {}, items, ...rules } = this.#resolve(schema);
    if (Array.isArray(value)) {
      const values = (name: string) => value.map((each: Record<string, unknown>) => each[name]);
      const { 'x-uniqueBy': uniqueBy, 'x-sameValue': sameValue } = rules;
      return (
        (uniqueBy === undefined || new Set(values(uniqueBy)).size === value.length) &&
        (sameValue === undefined || new Set(values(sameValue)).size <= 1) &&
        value.every((each) => items === undefined || this.#keepsOwnRules(items, each))
      );
    }
    if (typeof value !== 'object' || value === null) return true;
    return Object.entries(value).every(([name, each]) => {
      const property = properties[name];
      return property === undefined || this.#keepsOwnRules(property, each);
    });
  }
}

/** A copy of the value with one location, at any depth, replaced. */
export function spoil(value: unknown): fc.Arbitrary<unknown> {
  const places = listPlaces(value);
  return fc.tuple(fc.constantFrom(...places), spoiled).map(([place, other]) => replaceAt(value, place, other));
}

const nothing = Symbol('nothing');
/** Values just outside what the interface accepts, and values unlike it. */
const spoiled = fc.oneof(
  fc.constantFrom<unknown>('', ' \t\u2003', 'x', 'x'.repeat(501), '🎥'.repeat(501), '\ud83c', 'a\udfa5', 'sOuRcE', 'source '),
  fc.constantFrom<unknown>(-1, 0, 1.5, 127, 128, 240, 241, 399, 400, 8192, 8193, 2_000_000_001, 1e300, null, true, [], {}),
  fc.constant(nothing),
  fc.jsonValue({ maxDepth: 3 }),
);

function listPlaces(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, [...path, 'unknown'], ...Object.entries(value).flatMap(([name, each]) => listPlaces(each, [...path, name]))];
}

function replaceAt(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other === nothing ? {} : other;
  if (Array.isArray(value)) {
    if (name === 'unknown') return value.length === 0 ? value : [...value, value[0]];
    return value.map((each, index) => (String(index) === name ? replaceAt(each, rest, other) : each));
  }
  const { [name]: old, ...others } = value as Record<string, unknown>;
  const replaced = rest.length === 0 && other === nothing ? undefined : replaceAt(old, rest, other);
  return { ...others, ...(replaced !== undefined && { [name]: replaced }) };
}
