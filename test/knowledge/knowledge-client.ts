import { setTimeout as pause } from "node:timers/promises";
import type { ContentStatus } from "../../shared/schemas/knowledge/knowledge-content.ts";
import type { SearchResult } from "../../shared/schemas/knowledge/knowledge-search.ts";
import type { Answer, Client, Sent } from "../support/client.ts";
import { HANGS_AFTER_MS } from "../support/hangs-after.ts";

export const allScopes = ["knowledge:read", "knowledge:write", "knowledge:delete"];

type Form = NonNullable<Sent["form"]>;
type Ended = { readonly status: ContentStatus; readonly status_message: string };

/** What tests do with knowledge, as one user. @param query selects a base: `knowledge_id=…` */
export function knowledgeOf(client: Client, query = "") {
  const path = (rest = "", more = "") => {
    const asked = [query, more].filter(Boolean).join("&");
    return `/knowledge/content${rest}${asked && `?${asked}`}`;
  };
  const knowledge_id = new URLSearchParams(query).get("knowledge_id");
  const ended = async (id: string, withinMs = HANGS_AFTER_MS): Promise<Ended> => {
    for (const until = Date.now() + withinMs; ; await pause(50)) {
      const { json } = await client.get(path(`/${id}/status`));
      if (json.status !== "processing") return json;
      if (Date.now() > until) throw new Error(`content ${id} is processed for ever`);
    }
  };
  const upload = (form: Form): Promise<Answer> => client.post(path(), { form });
  const search = (body: object): Promise<Answer> =>
    client.post("/knowledge/search", { json: { ...(knowledge_id !== null && { knowledge_id }), ...body } });
  return {
    client,
    path,
    upload,
    ended,
    /** Uploads and waits for the end. */
    added: async (form: Form) => {
      const { json } = await upload(form);
      return { id: String(json.id), ...(await ended(json.id)) };
    },
    show: (id: string) => client.get(path(`/${id}`)),
    list: (more = "") => client.get(path("", more)),
    patch: (id: string, form: Form) => client.call("PATCH", path(`/${id}`), { form }),
    remove: (id: string) => client.call("DELETE", path(`/${id}`)),
    removeAll: () => client.call("DELETE", path()),
    search,
    found: async (body: object): Promise<SearchResult[]> => (await search(body)).json.data,
  };
}

export type KnowledgeClient = ReturnType<typeof knowledgeOf>;

/** A form with a file. */
export function fileForm(
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  form.set("file", new File([content], name, { type }));
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return form;
}
