import { families } from "../../../shared/routes/index.ts";
import { createMatcher } from "../../../shared/routes/matching/matcher.ts";
import type { Answer, Client, Sent } from "../client.ts";
import { answerFault } from "./answer-fault.ts";
import { operations } from "./document.ts";

/** A client that throws where an answer is not as the interface description says. */
export function described(client: Client): Client {
  const call = async (method: string, path: string, sent?: Sent): Promise<Answer> => {
    const answer = await client.call(method, path, sent);
    refuseUndescribed(method, path, answer);
    return answer;
  };
  return {
    ...client,
    call,
    get: (path) => call("GET", path),
    post: (path, sent) => call("POST", path, sent),
  };
}

const match = createMatcher<string>(families);

/** @throws when the answer has a status or a member that the description of its operation has not */
export function refuseUndescribed(method: string, path: string, { status, headers, text }: Answer): void {
  const found = match(method, path.split("?")[0] ?? "");
  const operation = operations.find(
    ({ operationId }) => found && "operation" in found && operationId === found.operation,
  );
  if (!operation) throw new Error(`${method} ${path} is not described`);
  const type = headers.get("content-type") ?? "";
  const fault = answerFault(operation, { status, type, text }, true);
  if (fault) throw new Error(`${method} ${path} answered ${status}: ${fault}\n${text.slice(0, 1000)}`);
}
