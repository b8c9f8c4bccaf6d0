import { ServiceError } from "../errors.ts";
import type { ErrorBody, ValidationErrorBody } from "../schemas/values/error-body.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import { InvalidInput } from "./input/invalid-input.ts";
import { shownErrors } from "./input/shown-input.ts";
import { isOutage } from "./is-outage.ts";
import { openaiError, RefusedParameter } from "./openai-refusal.ts";

/** Answers an error. Only a `ServiceError` carries a text for the client; every other error gets a neutral one. */
export function renderError(error: unknown): Answer {
  if (error instanceof InvalidInput) {
    const body: ValidationErrorBody = {
      detail: shownErrors(error.errors).map((one) => ({ ...one, loc: [...one.loc] })),
    };
    return jsonAnswer(422, body);
  }
  const refusal = error instanceof ServiceError ? error : neutral(error);
  const body: ErrorBody = {
    detail: refusal.message,
    error_code: refusal.code,
    ...(refusal.faults.length > 0 && { faults: [...refusal.faults] }),
  };
  return jsonAnswer(refusal.status, body, refusal.headers);
}

/** The same in OpenAI's form. */
export function renderOpenaiError(error: unknown): Answer {
  const { status, body } = openaiError(refusalOf(error));
  return jsonAnswer(status, body, error instanceof ServiceError ? error.headers : {});
}

function refusalOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof InvalidInput)) return neutral(error);
  const [first] = shownErrors(error.errors);
  return new RefusedParameter(
    pathOf(first?.loc ?? []),
    first?.msg ?? "The input is not valid",
    "invalid_value",
  );
}

/** Such as `messages[0].role`, without the place where the request has it. */
const pathOf = ([, ...path]: readonly (string | number)[]): string =>
  path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");

/** Whether an error is a failure that operators must look into, and not a refusal or a validation error. */
export function isFailure(error: unknown): boolean {
  return !(error instanceof InvalidInput) && !(error instanceof ServiceError && error.status < 500);
}

function neutral(cause: unknown): ServiceError {
  if (isOutage(cause)) {
    const detail = "A service behind this one is not available; try again later";
    return new ServiceError("UNAVAILABLE", detail, { cause });
  }
  return new ServiceError("INTERNAL_SERVER_ERROR", "Internal server error", { cause });
}
