import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { ServiceError } from "../../shared/errors.ts";
import type { Answer } from "../../shared/http/answer.ts";
import type { Exchange } from "../../shared/http/exchange.ts";
import type { Matched } from "../../shared/routes/matching/matcher.ts";
import type { FamilyFunctions } from "../../shared/runtime/functions/family-functions.ts";
import type { Invoke } from "../../shared/runtime/functions/invoke-function.ts";

/**
 * Hands a request to the family that its path belongs to. The gateway compares paths literally, so a request with a
 * trailing slash reaches only its catch-all.
 *
 * @throws ServiceError NOT_FOUND when the family is not deployed
 */
export function forwardTo(functions: FamilyFunctions, invoke: Invoke) {
  return async ({ family }: Matched, { event }: Exchange): Promise<Answer> => {
    const name = functions[family];
    if (name === undefined) throw new ServiceError("NOT_FOUND", "Not Found");
    const { payload, failed } = await invoke(name, JSON.stringify(event));
    if (failed) throw new Error(`function ${name} failed`, { cause: payload });
    return answerFrom(JSON.parse(payload) as APIGatewayProxyStructuredResultV2);
  };
}

function answerFrom(result: APIGatewayProxyStructuredResultV2): Answer {
  const { statusCode = 200, headers = {}, body, isBase64Encoded } = result;
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const bytes = isBase64Encoded ? Buffer.from(body ?? "", "base64") : undefined;
  return { status: statusCode, headers: Object.fromEntries(texts), body: bytes ?? body ?? null };
}
