import type { z } from 'zod';
import type { ErrorCode } from '../../shared/errors.ts';

/** One successful answer of an operation. */
export interface AnswerDescription {
  description: string;
  schema?: z.ZodType;
  headers?: Readonly<Record<string, string>>;
}

/** One call of the public interface: its route, its validation and its part of the OpenAPI document are made from this. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the API's base URL; parameters in braces, as OpenAPI writes them. */
  path: string;
  summary: string;
  tag: 'Streams' | 'Sessions' | 'Ingest';
  /** True when the call needs no API key. */
  open?: boolean;
  /** What the path's parameters name. */
  params?: Readonly<Record<string, string>>;
  query?: z.ZodType;
  body?: z.ZodType;
  answers: Readonly<Record<number, AnswerDescription>>;
  /** The errors that the call may answer with, beyond those of every call that is like it (401, 415, 422, 500). */
  errors?: readonly ErrorCode[];
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a handler of an operation is called with, validated. */
export interface Call<O extends Operation> {
  /** Undefined for an operation without parameters. */
  params: O extends { params: infer P } ? { [name in keyof P]: string } : undefined;
  query: OutputOf<O['query']>;
  body: OutputOf<O['body']>;
  /** The name of the API key; '' for an open operation. */
  tokenName: string;
  /** The URL that was asked for, as the caller knows this service. */
  url: () => URL;
}

/** What a handler answers. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
