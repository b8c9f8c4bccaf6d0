import { ServiceError } from "../errors.ts";
import type { OpenaiError } from "../schemas/openai/model.ts";

/** A refusal of what one member of a request to OpenAI's interface says. */
export class RefusedParameter extends ServiceError {
  /** The member, such as `n` or `messages[2].content`. */
  readonly param: string;
  /** The word for programs, such as `unsupported_parameter`. */
  readonly word: string;

  constructor(param: string, detail: string, word = "unsupported_parameter") {
    super(word === "model_not_found" ? "NOT_FOUND" : "BAD_REQUEST", detail);
    this.param = param;
    this.word = word;
  }
}

const words: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["authentication_error", "invalid_api_key"],
  403: ["permission_error", "insufficient_permissions"],
  404: ["invalid_request_error", "not_found"],
  409: ["conflict_error", "conflict"],
  413: ["invalid_request_error", "request_too_large"],
  429: ["rate_limit_error", "rate_limit_exceeded"],
};

/** A refusal as OpenAI's clients read it. */
export function openaiError(refusal: ServiceError): { readonly status: number; readonly body: OpenaiError } {
  // Their interface has no 422: what cannot be done as it was asked for is 400.
  const status = refusal.status === 422 ? 400 : refusal.status;
  const [type, code] = words[status] ?? ["server_error", refusal.code.toLowerCase()];
  const named = refusal instanceof RefusedParameter ? refusal : undefined;
  return {
    status,
    body: {
      error: { message: refusal.message, type, param: named?.param ?? null, code: named?.word ?? code },
    },
  };
}
