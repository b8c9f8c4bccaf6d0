import { isObject } from "../schemas/values/json-values.ts";
import { type Names, pascalCase } from "./named-parts.ts";
import type { Part } from "./tagged-choice.ts";

/**
 * An operation whose schemas are named after it: `createAgent` has a `CreateAgentRequest` and a `CreateAgentResponse`, and one per
 * further status (`CreateAgentResponse202`). Fields of forms, and parameters, stay where they are: generators make arguments of them.
 */
export function namedInOperation(operation: Part, operationId: string, names: Names): Part {
  const own = pascalCase(operationId);
  const { parameters, requestBody, responses, ...rest } = operation;
  return {
    ...rest,
    ...(Array.isArray(parameters) && {
      parameters: parameters.map((one) => withSchema(one, own + pascalCase(one.name), names.within)),
    }),
    ...(isObject(requestBody) && { requestBody: withContent(requestBody, `${own}Request`, names) }),
    ...(isObject(responses) && { responses: responsesOf(responses, own, names) }),
  };
}

function responsesOf(responses: Part, own: string, names: Names): Part {
  const [first] = Object.keys(responses);
  return mapped(responses, (response, status) =>
    withContent(response, status === first ? `${own}Response` : `${own}Response${status}`, names),
  );
}

function withContent(described: Part, called: string, names: Names): Part {
  const { content } = described;
  if (!isObject(content)) return described;
  return {
    ...described,
    content: mapped(content, (media, type) =>
      withSchema(media, called, isForm(type) ? names.within : names.name),
    ),
  };
}

const isForm = (mediaType: string): boolean =>
  mediaType.endsWith("form-data") || mediaType.endsWith("urlencoded");

function withSchema(described: Part, called: string, place: Names["name"]): Part {
  const { schema } = described;
  return isObject(schema) ? { ...described, schema: place(schema, called) } : described;
}

const mapped = (record: Part, change: (value: Part, key: string) => unknown): Part =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, isObject(value) ? change(value, key) : value]),
  );
