/** What an event of payload format 2.0 contains of its path. */
export type EventPath = {
  /** `GET /things/{id}`; `$default` from a function URL, and from the HTTP API for what has no route. */
  readonly routeKey: string;
  readonly rawPath: string;
  /** Decoded. */
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null | undefined;
};

/**
 * The path of a request, percent-encoded as its client sent it. An HTTP API decodes the whole of `rawPath`: what was a
 * slash within an id cannot be distinguished from one between two segments there, and a literal `%41` not from an `A`. So the path
 * is made from the route and its parameters. A function URL, which has no route, leaves `rawPath` as it was.
 *
 * @source captures of both kinds of events: github.com/hotsock/voker, `vokerhttp/testdata`; github.com/honojs/hono/issues/2156
 */
export function encodedPath({ routeKey, rawPath, pathParameters }: EventPath): string {
  const [, route] = routeKey.split(" ");
  if (route === undefined) return rawPath;
  return route.replace(/\{([^}+]+)(\+?)\}/g, (_, name: string, greedy: string) => {
    const value = pathParameters?.[name] ?? "";
    return greedy ? value.split("/").map(encodedSegment).join("/") : encodedSegment(value);
  });
}

/** A colon stays: behind it stands the verb of a path. A text with half a character of two code units has no encoding. */
const encodedSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll("%3A", ":");
