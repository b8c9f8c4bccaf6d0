import type * as v from "valibot";

export type Schema = v.GenericSchema;
export type ObjectSchema = v.GenericSchema<Record<string, unknown>, object>;

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** How a request carries its body: JSON text, a form (urlencoded or multipart), or a text that its handler reads. */
export type RequestBody =
  | { readonly json: Schema }
  | { readonly form: Schema }
  /** The documented media type and the schema that a handler reads in it; other media types reach the handler too. */
  | { readonly text: string; readonly reads?: Schema };

/** How requests are signed on routes without a bearer credential. */
export type SignatureKind = "whatsapp-handshake" | "whatsapp-hmac" | "telegram-secret" | "slack-hmac";

/** Statuses that a row may name as refusals; those that follow from the rest of the row are not named. */
export type RefusalStatus = 400 | 404 | 409 | 410 | 415 | 422 | 503;

/**
 * Whose events a stream carries, in which frames: a run's by its component's kind; `task`, `agui`, `ui-chat`, `mcp`, `openai-chat` and
 * `openai-response` in the frames of A2A, AG-UI, the AI SDK, MCP and OpenAI.
 */
export type StreamKind =
  | "agent-run"
  | "team-run"
  | "workflow-run"
  | "task"
  | "agui"
  | "ui-chat"
  | "mcp"
  | "openai-chat"
  | "openai-response";

/** A header of a request: text, unless its JSON Schema says more. Its handler reads it. */
export type DescribedHeader = {
  readonly description: string;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: string;
};

/** Query and body of a request. */
export type RequestExample = {
  readonly query?: Readonly<Record<string, unknown>>;
  /** JSON, or the fields of a form as the interface description has them. */
  readonly body?: unknown;
};

/**
 * Everything about one operation. The HTTP API, the authorizer, the validation, the handler's types and the
 * interface description are derived from this row; none repeats it.
 */
export type Route = {
  readonly method: Method;
  /** `{name}` stands for exactly one path segment. */
  readonly path: `/${string}`;
  /** All of these are required. `public` routes need no credential. */
  readonly scopes: readonly string[] | "public";
  /** Set where a refusal for want of a credential says where clients find out whose tokens are accepted. */
  readonly challenge?: "protected-resource";
  /** Set on public routes whose requests must be signed: it is checked before anything else is done with them. */
  readonly signature?: SignatureKind;
  /** Set where the answer may be an event stream: the family is then deployed behind a streaming function URL too. */
  readonly streams?: StreamKind;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** Headers that only some operations read. */
  readonly headers?: Readonly<Record<string, DescribedHeader>>;
  readonly body?: RequestBody;
  /** Status of the ordinary answer; 200 when absent. */
  readonly status?: number;
  /**
   * Body of the ordinary answer, or the media type of a body that is no JSON; `varies` where an answer may have a type of
   * its own instead.
   */
  readonly response: Schema | { readonly mediaType: string; readonly varies?: true } | null;
  /** Set where the ordinary answer may come as lines of JSON instead, if the query's `format` is `jsonl`. */
  readonly lines?: true;
  /** Further success answers by status, beside the ordinary one. */
  readonly also?: Readonly<Record<number, Schema | null>>;
  /**
   * Further refusals, beside those that follow from the row's other parts (credential, path, input, body, `db_id`). 503:
   * the operation needs something that may be missing, such as a model; an outage may answer 503 anywhere.
   */
  readonly refuses?: readonly RefusalStatus[];
  /** Set where every refusal, of whatever kind, has OpenAI's form; there 422 is 400. */
  readonly refusals?: "openai";
  /** Body of these refusals, where it differs from the usual one. */
  readonly refusal?: Schema;
  /**
   * What another user is answered who asks for the same. Absent, it is 404 where the path names something that users own, and
   * else there is nothing of another user's to ask for. Every row is tried with two users.
   */
  readonly strangers?: 204 | 400 | 403 | 404;
  /**
   * A typical request, as far as its values can be known beforehand: ids that it needs are those of things that a test makes.
   * Every route is asked so by a test, and the interface description shows request and answer.
   */
  readonly example?: RequestExample;
  /** Set where pages of any origin may read every answer, refusals and failures too; without a credential, of which it has none. */
  readonly anyOrigin?: true;
  /** The family under whose name it is described, where another one serves it. */
  readonly tag?: string;
  readonly summary: string;
  readonly description?: string;
};

export type RouteTable = Readonly<Record<string, Route>>;

/** The fields that matching and authorization depend on. */
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
