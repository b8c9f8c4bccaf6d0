import * as v from "valibot";
import { getClient } from "../../../shared/stores/oauth/clients.ts";
import { isClientId } from "../../../shared/stores/oauth/oauth-items.ts";
import type { OauthDeps } from "./oauth-deps.ts";
import { shownName } from "./shown-name.ts";

/** A client, as far as anybody knows it. */
export type OauthClient = {
  readonly id: string;
  readonly name: string;
  /** Host of the document that describes it; absent for one that has registered itself. */
  readonly host?: string;
  readonly redirect_uris: readonly string[];
};

/** @source draft-ietf-oauth-client-id-metadata-document, section 4 */
const Document = v.object({
  client_id: v.string(),
  client_name: v.optional(v.string()),
  redirect_uris: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(100)),
});

const TIMEOUT_MS = 3_000;
const MAX_DOCUMENT_BYTES = 64 * 1024;
const CACHED_MS = 5 * 60_000;
const MAX_CACHED = 1_000;

const described = new Map<string, { readonly client: OauthClient; readonly until_ms: number }>();

/**
 * Finds a client by its id: one that has registered itself, or one that is described by a document at the https address that is
 * its id. Such a document must name that address, is fetched from public addresses alone, and no redirect is followed.
 *
 * @returns undefined for one that is not known, or whose document cannot be used
 */
export async function clientOf(
  id: string,
  { db, clock, oauth, log }: OauthDeps,
): Promise<OauthClient | undefined> {
  if (!id.startsWith("https://")) {
    if (!isClientId(id)) return undefined;
    const client = await getClient(db, id, Math.floor(clock.now() / 1000));
    return client && { id, name: client.name, redirect_uris: client.redirect_uris };
  }
  const url = documentAddress(id);
  if (!url) return undefined;
  const cached = described.get(id);
  if (cached && cached.until_ms > clock.now()) return cached.client;
  try {
    const client = await readDocument(id, url, oauth.fetchDocument);
    if (described.size >= MAX_CACHED) described.clear();
    described.set(id, { client, until_ms: clock.now() + CACHED_MS });
    return client;
  } catch (error) {
    log.info("the document of a client cannot be used", { host: url.host, error });
    return undefined;
  }
}

/** An https address with a path, written as a parser writes it: one client has one id. */
function documentAddress(id: string): URL | undefined {
  const url = URL.parse(id);
  const isWhole = url?.href === id && url.pathname !== "/" && !id.includes("#");
  return isWhole && url.username === "" && url.password === "" ? url : undefined;
}

async function readDocument(id: string, url: URL, fetchDocument: typeof fetch): Promise<OauthClient> {
  const answer = await fetchDocument(id, {
    headers: { accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`it is answered with ${answer.status}`);
  }
  const document = v.parse(Document, JSON.parse(await limitedText(answer)));
  if (document.client_id !== id) throw new Error("it describes another client");
  return {
    id,
    name: shownName(document.client_name) ?? url.host,
    host: url.host,
    redirect_uris: document.redirect_uris,
  };
}

async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_DOCUMENT_BYTES) throw new Error(`it has more than ${MAX_DOCUMENT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
