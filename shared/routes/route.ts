import type * as v from "valibot";

export type Schema = v.GenericSchema;
export type ObjectSchema = v.GenericSchema<Record<string, unknown>, object>;

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** How a request carries its body: JSON text, a form (urlencoded or multipart), or a text that its handler reads. */
export type RequestBody =
  | { readonly json: Schema }
  | { readonly form: Schema }
  /** The media type that is documented, and what a handler reads in it; every other is handed on as well. */
  | { readonly text: string; readonly reads?: Schema };

/** How the sender of a request proves itself by the request, on routes that take no credential of ours. */
export type SignatureKind = "whatsapp-handshake" | "whatsapp-hmac" | "telegram-secret";

/** Statuses that a row may name as refusals; what follows from the rest of the row is not named. */
export type RefusalStatus = 400 | 404 | 409 | 415 | 422 | 503;

/** Whose events a stream tells, in which frames: `run` by its component's kind, `task` as agent-to-agent clients read them. */
export type StreamKind = "agent-run" | "team-run" | "workflow-run" | "task";

/**
 * Everything about one operation. The HTTP API, the authorizer, the validation, the handler's types and the
 * interface description are derived from this row; none repeats it.
 */
export type Route = {
  readonly method: Method;
  /** `{name}` stands for exactly one path segment. */
  readonly path: `/${string}`;
  /** All of these must be held. `public` routes need no credential. */
  readonly scopes: readonly string[] | "public";
  /** Set on public routes whose requests must be signed: it is checked before anything else is done with them. */
  readonly signature?: SignatureKind;
  /** Set where every request leaves a line in the audit log: who asked for what, and what was decided. */
  readonly audit?: true;
  /** Set where the answer may be an event stream: the family is then deployed behind the streaming door too. */
  readonly streams?: StreamKind;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** Headers that this operation reads, beside those that all do, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Status of the ordinary answer; 200 when absent. */
  readonly status?: number;
  /** Body of the ordinary answer, or the media type of a body that is no JSON. */
  readonly response: Schema | { readonly mediaType: string } | null;
  /** Further success answers by status, beside the ordinary one. */
  readonly also?: Readonly<Record<number, Schema | null>>;
  /**
   * What else it refuses with, beside what follows from the row's other parts (credential, path, input, body, `db_id`). 503:
   * something that is not always there is needed, such as a model; an outage may answer it anywhere.
   */
  readonly refuses?: readonly RefusalStatus[];
  /** Body of these refusals, where it is not the common one. */
  readonly refusal?: Schema;
  readonly summary: string;
  readonly description?: string;
};

export type RouteTable = Readonly<Record<string, Route>>;

/** What finding an operation, and who may call it, depend on. */
export type AccessRow = Pick<Route, "method" | "path" | "scopes">;
/** By operation. */
export type AccessRows = Readonly<Record<string, AccessRow>>;

type Out<S, Otherwise> = S extends v.GenericSchema ? v.InferOutput<S> : Otherwise;

export type ParamsOf<R extends Route> = Out<R["params"], Record<string, never>>;
export type QueryOf<R extends Route> = Out<R["query"], Record<string, never>>;
export type BodyOf<R extends Route> = R["body"] extends { json: infer S }
  ? Out<S, undefined>
  : R["body"] extends { form: infer S }
    ? Out<S, undefined>
    : R["body"] extends { text: string }
      ? string
      : undefined;
export type ResponseOf<R extends Route> = R["response"] extends v.GenericSchema
  ? v.InferInput<R["response"]>
  : R["response"] extends null
    ? undefined
    : string;
