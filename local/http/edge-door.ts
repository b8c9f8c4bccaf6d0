import { createContext, Script } from "node:vm";
import * as v from "valibot";
import type { Behaviour } from "../template/edge.ts";
import type { Door } from "./api-door.ts";
import type { ReceivedRequest } from "./gateway-event.ts";

type Rewrite = (request: ReceivedRequest) => ReceivedRequest;

/**
 * Passes requests on as CloudFront does: the behaviour's function may change the headers, and the origin's own headers
 * replace those that the client sent under their names.
 *
 * @param headers  of the origin, without references
 */
export function edgeDoor(
  origin: Door,
  { viewerRequest }: Pick<Behaviour, "viewerRequest">,
  headers: Readonly<Record<string, string>>,
): Door {
  const rewrite = viewerRequest === undefined ? undefined : viewerRewrite(viewerRequest);
  return (request, response) => {
    const rewritten = rewrite?.(request) ?? request;
    return origin({ ...rewritten, rawHeaders: replaced(rewritten.rawHeaders, headers) }, response);
  };
}

const Request = v.object({ headers: v.record(v.string(), v.object({ value: v.string() })) });

/** Runs the function's source. Only what it does to the headers counts. */
function viewerRewrite(source: string): Rewrite {
  const script = new Script(`${source}; JSON.stringify(handler(JSON.parse(event)))`);
  return (request) => {
    const before = headersByName(request.rawHeaders);
    const headers = Object.fromEntries([...before].map(([name, value]) => [name, { value }]));
    const event = JSON.stringify({ request: { method: request.method, uri: request.rawPath, headers } });
    const after = v.parse(Request, JSON.parse(script.runInContext(createContext({ event }))));
    const changed = Object.entries(after.headers).filter(([name, { value }]) => before.get(name) !== value);
    const values = Object.fromEntries(changed.map(([name, { value }]) => [name, value]));
    return { ...request, rawHeaders: replaced(request.rawHeaders, values) };
  };
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
