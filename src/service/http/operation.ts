import type { z } from 'zod';
import type { ErrorCode } from '../../shared/errors.ts';
import type { RegionAsker } from '../regions/regions.ts';

/** A successful answer of an operation. */
export interface AnswerDescription {
  description: string;
  schema?: z.ZodType;
  headers?: Readonly<Record<string, string>>;
}

/** One operation of the public interface. Its route, validation and OpenAPI entry are derived from this. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the API's base URL, with parameters in braces as in OpenAPI. */
  path: string;
  summary: string;
  tag: 'Streams' | 'Sessions' | 'Ingest';
  /** True if the operation needs no API key. */
  open?: boolean;
  /** Descriptions of the path parameters. */
  params?: Readonly<Record<string, string>>;
  query?: z.ZodType;
  body?: z.ZodType;
  answers: Readonly<Record<number, AnswerDescription>>;
  /** Errors beyond those shared by all operations of its kind (400, 401, 413, 415, 422, 500, 503). */
  errors?: readonly ErrorCode[];
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;

/** The validated input of an operation's handler. */
export interface Call<O extends Operation> {
  /** Undefined if the operation has no parameters. */
  params: O extends { params: infer P } ? { [name in keyof P]: string } : undefined;
  query: OutputOf<O['query']>;
  body: OutputOf<O['body']>;
  /** The name of the API key; '' for an open operation. */
  tokenName: string;
  /** The request's URL, as the caller reaches it again. */
  url: () => URL;
  /** The caller, by its connection: behind a proxy, that is the proxy. */
  caller: () => RegionAsker;
}

/** A handler's answer. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
