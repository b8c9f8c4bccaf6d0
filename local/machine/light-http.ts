import { createRequire } from "node:module";

/**
 * Keeps Node from loading an HTTP client that nothing here uses: an import of `node:http` asks for all that it exports,
 * and behind `WebSocket` and its events there is that client. Must be imported before what imports `node:http`.
 */
const http: object = createRequire(import.meta.url)("node:http");
for (const name of ["WebSocket", "CloseEvent", "MessageEvent"]) {
  Object.defineProperty(http, name, { value: undefined });
}
