import * as v from "valibot";
import type { RequestBody, Route, Schema } from "../../routes/route.ts";
import { InvalidInput, type ValidationError } from "./invalid-input.ts";
import { listsForObjects } from "./lists-for-objects.ts";
import { notAnObject, validationErrors } from "./validation-errors.ts";

/** Input by the place it came from. */
type Parts = { readonly path: unknown; readonly query: unknown; readonly body: unknown };
export type ValidInput = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/**
 * Validates all parts of a request against its row, so that one answer names every validation error.
 *
 * @throws InvalidInput with the errors of path, query and body in this order
 */
export function validate(route: Route, { path, query, body }: Parts): ValidInput {
  const bodySchema = schemaOf(route.body);
  const params = check("path", route.params, path);
  const queried = check("query", route.query, query);
  const sent = check("body", bodySchema, body);
  const errors = [...params.errors, ...queried.errors, ...sent.errors];
  if (errors.length > 0) throw new InvalidInput(errors);
  return { params: params.output, query: queried.output, body: sent.output };
}

function schemaOf(body: RequestBody | undefined): Schema | undefined {
  if (!body) return undefined;
  if ("text" in body) return Text;
  return "form" in body ? body.form : body.json;
}

const Text = v.string();

type Checked = { output: unknown; errors: ValidationError[] };

function check(place: "path" | "query" | "body", schema: Schema | undefined, input: unknown): Checked {
  if (!schema) return { output: place === "body" ? undefined : {}, errors: [] };
  const lists = place === "body" ? listsForObjects(schema, input) : [];
  if (lists.length > 0) {
    const errors = lists.map((list) => notAnObject([place, ...list.path], list.input));
    return { output: undefined, errors };
  }
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return { output: parsed.output, errors: [] };
  return { output: undefined, errors: parsed.issues.flatMap((issue) => validationErrors(place, issue)) };
}
