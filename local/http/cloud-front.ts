import type { ServerResponse } from "node:http";
import { createContext, Script } from "node:vm";
import * as v from "valibot";
import type { Behaviour } from "../template/edge.ts";
import type { ReceivedRequest } from "./gateway-event.ts";
import type { RequestHandler } from "./http-api.ts";

/**
 * Passes requests on as CloudFront does: those with a method that the behaviour does not allow are refused, and such as
 * have a body and must not; the behaviour's function may answer them or change their headers; and the origin's own headers
 * replace those that the client sent under their names.
 *
 * @param headers  of the origin, without references
 * @source CloudFront developer guide, "Request and response behavior for custom origins": "GET requests that include a body"
 */
export function cloudFront(
  origin: RequestHandler,
  { methods, viewerRequest }: Pick<Behaviour, "methods" | "viewerRequest">,
  headers: Readonly<Record<string, string>>,
): RequestHandler {
  const view = viewerRequest === undefined ? undefined : viewerOf(viewerRequest);
  return async (request, response) => {
    if (methods && !methods.includes(request.method)) return refuse(response);
    if (request.method === "GET" && request.body.length > 0) return refuse(response);
    const viewed = view?.(request) ?? { headers: {} };
    if ("statusCode" in viewed) return sendViewed(response, viewed);
    const rawHeaders = replaced(replaced(request.rawHeaders, viewed.headers), headers);
    return origin({ ...request, rawHeaders }, response);
  };
}

/** As CloudFront does itself, in words that are not the interface's. */
function refuse(response: ServerResponse): void {
  response
    .writeHead(403, { "content-type": "text/html" })
    .end("<title>ERROR: The request could not be satisfied</title>");
}

const Headers = v.record(v.string(), v.object({ value: v.string() }));
const Answered = v.object({
  statusCode: v.number(),
  headers: v.optional(Headers, {}),
  body: v.object({ encoding: v.literal("text"), data: v.string() }),
});
type Answered = v.InferOutput<typeof Answered>;
type Viewed = Answered | { readonly headers: Readonly<Record<string, string>> };

/**
 * Runs the function's source: it returns an answer, or the request, of which the headers that it changed count. The source
 * is evaluated once, since a context for each request would take longer than the rest of the request.
 */
function viewerOf(source: string): (request: ReceivedRequest) => Viewed {
  const script = `${source}; (event) => JSON.stringify(handler(JSON.parse(event)))`;
  const handle: (event: string) => string = new Script(script).runInContext(createContext({}));
  return (request) => {
    const before = headersByName(request.rawHeaders);
    const headers = Object.fromEntries([...before].map(([name, value]) => [name, { value }]));
    const event = JSON.stringify({
      viewer: { ip: request.sourceIp },
      request: { method: request.method, uri: request.rawPath, headers },
    });
    const returned: unknown = JSON.parse(handle(event));
    if (v.is(Answered, returned)) return v.parse(Answered, returned);
    const after = v.parse(v.object({ headers: Headers }), returned);
    const changed = Object.entries(after.headers).filter(([name, { value }]) => before.get(name) !== value);
    return { headers: Object.fromEntries(changed.map(([name, { value }]) => [name, value])) };
  };
}

function sendViewed(response: ServerResponse, { statusCode, headers, body }: Answered): void {
  const named = Object.entries(headers).map(([name, { value }]) => [name, value]);
  response.writeHead(statusCode, Object.fromEntries(named)).end(body.data);
}

function headersByName(raw: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) found.set((raw[at] ?? "").toLowerCase(), raw[at + 1] ?? "");
  return found;
}

/** The list with these headers, and without others of their names. @param headers  names in lower case */
function replaced(raw: readonly string[], headers: Readonly<Record<string, string>>): string[] {
  const kept = raw.filter((_, at) => !((raw[at - (at % 2)] ?? "").toLowerCase() in headers));
  return [...kept, ...Object.entries(headers).flat()];
}
