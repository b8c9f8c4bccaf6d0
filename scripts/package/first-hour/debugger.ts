import { once } from "node:events";
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};
type Script = { readonly scriptId: string; readonly url: string; readonly sourceMapURL?: string };
type Place = { readonly lineNumber: number; readonly columnNumber: number };

/** Where a thread stopped, in the user's own file. Line from 1. */
export type Stop = { readonly file: string; readonly line: number; readonly resume: () => Promise<unknown> };

export type Debugger = {
  /** Settles when a thread stops at the breakpoint. */
  readonly stopped: Promise<Stop>;
  readonly close: () => void;
};

/**
 * A debugger as VS Code is one: it attaches to a process and to each thread that the process has or starts, reads the source maps of
 * the code that they load, and has them stop where a line of the user's file went.
 *
 * @param address  of the process: `ws://127.0.0.1:9229/…`, as Node prints it
 * @param file     absolute path of the user's file
 * @param line     from 1
 */
export async function attachDebugger(address: string, file: string, line: number): Promise<Debugger> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const stopped = Promise.withResolvers<Stop>();
  const sessions = new Map<string, Session>();
  const main = newSession((text) => socket.send(text));
  socket.addEventListener("message", ({ data }) => {
    const message: Message = JSON.parse(String(data));
    const { method, params = {} } = message;
    if (method === "NodeWorker.attachedToWorker") {
      const sessionId = String(params.sessionId);
      const session = newSession(
        (text) => void main.ask("NodeWorker.sendMessageToWorker", { sessionId, message: text }),
      );
      sessions.set(sessionId, session);
      void watch(session, { file, line, onStop: stopped.resolve, onError: stopped.reject });
    } else if (method === "NodeWorker.receivedMessageFromWorker")
      sessions.get(String(params.sessionId))?.take(JSON.parse(String(params.message)));
    else main.take(message);
  });
  await main.ask("NodeWorker.enable", { waitForDebuggerOnStart: true });
  return { stopped: stopped.promise, close: () => socket.close() };
}

type Session = {
  readonly ask: (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly on: (method: string, listener: (params: Record<string, unknown>) => void) => void;
  readonly take: (message: Message) => void;
};

function newSession(send: (text: string) => void): Session {
  let asked = 0;
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  const listeners = new Map<string, (params: Record<string, unknown>) => void>();
  return {
    ask: (method, params = {}) => {
      const answer = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(++asked, answer);
      send(JSON.stringify({ id: asked, method, params }));
      return answer.promise;
    },
    on: (method, listener) => void listeners.set(method, listener),
    take: ({ id, method, params = {}, result = {}, error }) => {
      if (method !== undefined) return listeners.get(method)?.(params);
      const answer = waiting.get(id ?? 0);
      if (error) answer?.reject(new Error(error.message));
      else answer?.resolve(result);
    },
  };
}

type Watched = {
  readonly file: string;
  readonly line: number;
  readonly onStop: (stop: Stop) => void;
  readonly onError: (error: unknown) => void;
};

async function watch(session: Session, { file, line, onStop, onError }: Watched): Promise<void> {
  const maps = new Map<string, { readonly script: Script; readonly map: SourceMap }>();
  session.on("Debugger.scriptParsed", (params) => {
    const script = params as unknown as Script;
    const map = mapOf(script);
    if (!map) return;
    maps.set(script.scriptId, { script, map });
    const place = generatedFor(script, map, { file, line });
    if (place)
      session
        .ask("Debugger.setBreakpoint", { location: { scriptId: script.scriptId, ...place } })
        .catch(onError);
  });
  session.on("Debugger.paused", ({ callFrames, hitBreakpoints }) => {
    // A thread that waits for its debugger stands at its first line.
    if (!Array.isArray(hitBreakpoints) || hitBreakpoints.length === 0)
      return void session.ask("Debugger.resume").catch(onError);
    const [top] = callFrames as { readonly location: Place & { readonly scriptId: string } }[];
    const from = top && maps.get(top.location.scriptId);
    const entry = from?.map.findEntry(top?.location.lineNumber ?? 0, top?.location.columnNumber ?? 0);
    if (!from || !entry || !("originalSource" in entry)) return onError(new Error("stopped elsewhere"));
    onStop({
      file: sourceOf(from.script, entry.originalSource),
      line: entry.originalLine + 1,
      resume: () => session.ask("Debugger.resume"),
    });
  });
  await session.ask("Debugger.enable");
  await session.ask("Runtime.runIfWaitingForDebugger");
}

const sourceOf = ({ url }: Script, source: string): string => resolve(fileURLToPath(url), "..", source);

function mapOf({ url, sourceMapURL }: Script): SourceMap | undefined {
  if (!sourceMapURL || sourceMapURL.startsWith("data:") || !url.startsWith("file:")) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(sourceMapURL, url), "utf8")));
  } catch {
    return undefined;
  }
}

/** Where a line of a source went; undefined where the script has nothing of it. */
function generatedFor(
  script: Script,
  map: SourceMap,
  { file, line }: { readonly file: string; readonly line: number },
): Place | undefined {
  if (!map.payload.sources.some((source) => sourceOf(script, source) === file)) return undefined;
  const rows = readFileSync(new URL(script.url), "utf8").split("\n");
  for (const [lineNumber, row] of rows.entries())
    for (let columnNumber = 0; columnNumber < row.length; columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber);
      if (!("originalSource" in entry) || entry.generatedColumn !== columnNumber) continue;
      if (entry.originalLine === line - 1 && sourceOf(script, entry.originalSource) === file)
        return { lineNumber, columnNumber };
    }
  return undefined;
}
