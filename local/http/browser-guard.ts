import { DEFAULT_ORIGINS } from "../../shared/http/cors.ts";
import { FEEDBACK_LINK_PATH } from "../../shared/schemas/feedback/feedback-link-path.ts";
import type { ReceivedRequest } from "./gateway-event.ts";

/** What the settings say of addresses. */
export type KnownAddresses = {
  /** Address under which this machine is reached from elsewhere. */
  readonly publicUrl?: string | undefined;
  /** Origins of pages that may call, comma-separated; the defaults when absent. */
  readonly corsAllowedOrigins?: string | undefined;
};

/**
 * What a browser may have to do with a request:
 *   own       no page sent it, or one of this address, of this machine, or one that the settings name: it may be a guest's
 *   listed    a page of a default origin elsewhere: it is served, and has no access without a credential of its own
 *   refused   for the reason
 */
export type Sender = "own" | "listed" | { readonly refused: string };

/** Judges requests before anything is done with them, because a browser on this machine reaches whatever listens on it. */
export function browserGuard(known: KnownAddresses): (request: ReceivedRequest) => Sender {
  const publicHost = hostOf(known.publicUrl);
  const configured = (known.corsAllowedOrigins ?? "").split(",").flatMap((origin) => origin.trim() || []);
  const listed = configured.length > 0 ? configured : DEFAULT_ORIGINS;
  const isOwnOrigin = (origin: string, host: string | undefined) => {
    const from = hostOf(origin);
    if (from === undefined) return false;
    if (from === host || from === publicHost || configured.includes(origin)) return true;
    return listed.includes(origin) && isLoopback(from);
  };
  return (request) => {
    const header = headerOf(request);
    const host = header("host")?.toLowerCase();
    if (host !== undefined && host !== publicHost && !isLoopback(host)) return { refused: foreignHost };
    const origin = header("origin");
    const isOther = !["same-origin", "none", undefined].includes(header("sec-fetch-site"));
    if (origin === undefined) return isOther && !isNavigation(request) ? ifSimple(request) : "own";
    if (isOwnOrigin(origin, host)) return "own";
    return listed.includes(origin) ? "listed" : ifSimple(request);
  };
}

const foreignHost =
  "This address is served under names of this machine only; PUBLIC_URL names another one, such as that of a tunnel";
const foreignPage = "A page of another site may not send this; CORS_ALLOWED_ORIGINS names those that may";

/** Before any other request a browser asks which pages may send it; whoever has a link for feedback may use it anywhere. */
const ifSimple = (request: ReceivedRequest): Sender =>
  isSimple(request) && !isByLink(request) ? { refused: foreignPage } : "listed";

const isByLink = ({ method, rawPath }: ReceivedRequest): boolean =>
  method === "POST" && rawPath.startsWith(FEEDBACK_LINK_PATH);

/** Whether a browser sends a request of any page without asking. @source Fetch standard, "CORS-safelisted request-header" */
function isSimple(request: ReceivedRequest): boolean {
  const header = headerOf(request);
  if (!["GET", "HEAD", "POST"].includes(request.method) || header("authorization") !== undefined)
    return false;
  const type = header("content-type")?.split(";")[0]?.trim().toLowerCase();
  return type === undefined || simpleTypes.has(type);
}

const simpleTypes: ReadonlySet<string> = new Set([
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "text/plain",
]);

/** A link that the user followed: what it shows, the page with the link cannot read. */
function isNavigation(request: ReceivedRequest): boolean {
  const header = headerOf(request);
  return (
    request.method === "GET" &&
    header("sec-fetch-mode") === "navigate" &&
    header("sec-fetch-dest") === "document"
  );
}

const headerOf =
  ({ rawHeaders }: Pick<ReceivedRequest, "rawHeaders">) =>
  (name: string): string | undefined => {
    const at = rawHeaders.findIndex((raw, index) => index % 2 === 0 && raw.toLowerCase() === name);
    return at < 0 ? undefined : rawHeaders[at + 1];
  };

const hostOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;

/** @param host  with or without a port */
function isLoopback(host: string): boolean {
  const { hostname } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: "" };
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
