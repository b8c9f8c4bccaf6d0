import { openApi } from "../../../shared/openapi/open-api.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Media = {
  readonly schema: JsonSchema;
  readonly "x-item-schema"?: JsonSchema;
  readonly example?: unknown;
};
export type Described = { readonly description: string; readonly content?: Readonly<Record<string, Media>> };
export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
};
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly { readonly bearer: readonly string[] }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  /** With references to the common refusals in place of them. */
  readonly responses: Readonly<Record<string, Described | { readonly $ref: string }>>;
};
export type Document = {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
};

/** The interface description as it is sent. */
export const document: Document = JSON.parse(JSON.stringify(openApi("1.2.3")));

export const operations: readonly (Operation & { readonly method: string; readonly path: string })[] =
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
  );

/** What an operation answers with a status; undefined where it does not. */
export function responseOf(
  { responses }: Pick<Operation, "responses">,
  status: number | string,
): Described | undefined {
  const found = responses[status];
  if (!found || !("$ref" in found)) return found;
  return document.components.responses[found.$ref.replace("#/components/responses/", "")];
}
