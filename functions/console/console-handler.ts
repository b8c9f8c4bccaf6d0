import { createHash } from "node:crypto";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { Discover, Endpoints } from "../../shared/auth/identify/discovery.ts";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import type { Log } from "../../shared/runtime/log.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Site, SiteFile } from "./site.ts";

type Event = Pick<APIGatewayProxyEventV2, "rawPath" | "headers"> & {
  readonly requestContext: { readonly http: { readonly method: string } };
};
type Result = APIGatewayProxyStructuredResultV2;
type Headers = Record<string, string>;

export type ConsoleOptions = {
  readonly site: Site;
  readonly osId: string;
  readonly stage: string;
  /** What the deployment is called, and the colour of its frame. */
  readonly name?: string;
  readonly colour?: string;
  /** Origin of the bucket, to which the page sends large files. */
  readonly uploadOrigin: string;
  /** How users sign in at an identity provider, where there is one. */
  readonly signIn?: { readonly clientId: string; readonly scope: string; readonly discover: Discover };
  readonly log: Pick<Log, "warn">;
};

const FILES = `${PAGE_PATH}/files/`;
/** The one stage that `npm start` has, which prints links that sign in. */
const LOCAL_STAGE = "local";

/** The files have a digest in their name: what is at an address never changes. */
const FOREVER = "public, max-age=31536000, immutable";
/** Kept, but asked about each time: a new version is seen at once. */
const ASK_EACH_TIME = "no-cache";

/**
 * Serves the page for operators: its files, what it must know to sign in, and itself at every other path below `/console`,
 * since the page has paths of its own.
 */
export function consoleHandler(options: ConsoleOptions) {
  const { site, log } = options;

  /** The provider is asked once; while it does not answer the page works with a pasted token. */
  const endpoints = async (): Promise<Endpoints | "none" | "unknown"> => {
    if (!options.signIn) return "none";
    try {
      return await options.signIn.discover();
    } catch (error) {
      log.warn("the identity provider of the console cannot be read", { error });
      return "unknown";
    }
  };

  return async (event: Event): Promise<Result> => {
    const { method } = event.requestContext.http;
    if (method !== "GET" && method !== "HEAD") return refused(405, { allow: "GET, HEAD" });
    const answer = await answerFor(event);
    return method === "HEAD" ? { ...answer, body: "", isBase64Encoded: false } : answer;
  };

  async function answerFor({ rawPath, headers }: Event): Promise<Result> {
    if (rawPath.startsWith(FILES)) {
      const file = site.file(rawPath.slice(FILES.length));
      return file ? fileAnswer(file, headers, FOREVER) : refused(404);
    }
    const found = await endpoints();
    if (rawPath === `${PAGE_PATH}/settings.json`) return settingsAnswer(options, found);
    const tokenOrigin = typeof found === "object" ? new URL(found.token_endpoint).origin : undefined;
    const origins = [options.uploadOrigin, ...(tokenOrigin === undefined ? [] : [tokenOrigin])];
    return fileAnswer(site.page, headers, ASK_EACH_TIME, origins);
  }
}

/** What the page reads before anybody has signed in. Nothing in it is a secret. */
function settingsAnswer(
  { osId, stage, name, colour, signIn }: ConsoleOptions,
  found: Endpoints | "none" | "unknown",
): Result {
  const settings = {
    os_id: osId,
    stage,
    ...(name !== undefined && { name }),
    ...(colour !== undefined && { colour }),
    sign_in:
      typeof found === "object" ? { ...found, client_id: signIn?.clientId, scope: signIn?.scope } : null,
    link: stage === LOCAL_STAGE,
    ...(found === "unknown" && {
      sign_in_problem: "The identity provider does not answer. Try again later, or sign in with a token.",
    }),
  };
  return {
    statusCode: 200,
    headers: {
      ...securityHeaders([]),
      "content-type": "application/json",
      "cache-control": ASK_EACH_TIME,
    },
    body: JSON.stringify(settings),
  };
}

function fileAnswer(
  file: SiteFile,
  asked: Event["headers"],
  cacheControl: string,
  origins: readonly string[] = [],
): Result {
  const shared = securityHeaders(origins);
  const headers: Headers = {
    ...shared,
    "cache-control": cacheControl,
    etag: etagOf(file, shared),
    vary: "accept-encoding",
  };
  if (matches(asked["if-none-match"], headers.etag)) return { statusCode: 304, headers };
  const brotli = takesBrotli(asked["accept-encoding"]) ? file.brotli : undefined;
  return {
    statusCode: 200,
    headers: {
      ...headers,
      "content-type": file.contentType,
      ...(brotli && { "content-encoding": "br" }),
    },
    body: (brotli ?? file.contents).toString("base64"),
    isBase64Encoded: true,
  };
}

/**
 * Of content and headers: a browser that has both has nothing to get. Weak, since the compressed and the plain form share it.
 */
function etagOf({ digest }: SiteFile, headers: Headers): string {
  const both = createHash("sha256")
    .update(`${digest} ${JSON.stringify(headers)}`)
    .digest("base64url");
  return `W/"${both.slice(0, 27)}"`;
}

/** @source RFC 9110, sections 8.8.3.2 and 13.1.2: a weak comparison of a list */
function matches(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  const strong = (tag: string): string => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || strong(tag) === strong(etag));
}

/** @source RFC 9110, section 12.5.3: a weight of 0 refuses a coding */
const takesBrotli = (acceptEncoding = ""): boolean =>
  acceptEncoding.split(",").some((coding) => {
    const [name, weight = "q=1"] = coding.split(";").map((part) => part.trim());
    return name === "br" && Number(weight.replace(/^q=/, "")) > 0;
  });

const refused = (statusCode: 404 | 405, headers: Headers = {}): Result => ({
  statusCode,
  headers: {
    ...securityHeaders([]),
    ...headers,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": ASK_EACH_TIME,
  },
  body: statusCode === 404 ? "There is no such file.\n" : "Only GET and HEAD.\n",
});
