/** Schemes of programs that sign in at MCP servers; others are taken in the form that names their maker. */
const knownSchemes: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:"]);

/** @source RFC 8252, section 7.1: `com.example.app` */
const OWN_SCHEME = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

const MAX_CHARACTERS = 2_000;

/**
 * Whether a client may have answers sent to an address: at a host by https, at a program on the user's machine, or by a scheme of
 * one. What a browser would execute is none of these.
 */
export function isUsableRedirect(address: string): boolean {
  const url = address.length <= MAX_CHARACTERS ? URL.parse(address) : null;
  if (!url || address.includes("#") || /[\s\\]/.test(address)) return false;
  if (url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:"
    ? isLoopback(url)
    : knownSchemes.has(url.protocol) || OWN_SCHEME.test(url.protocol);
}

/** Whether an address leads to a program on the user's own machine. */
export const isLoopback = ({ hostname }: Pick<URL, "hostname">): boolean =>
  hostname === "127.0.0.1" || hostname === "[::1]" || hostname === "localhost";

/**
 * Whether an address is one of a client's, character by character. A program on the user's machine may come with any port: it takes
 * the one that is free.
 *
 * @source RFC 8252, section 7.3
 */
export function matchesRedirect(own: readonly string[], address: string): boolean {
  if (!isUsableRedirect(address)) return false;
  return own.includes(address) || own.some((one) => isUsableRedirect(one) && sameButPort(one, address));
}

function sameButPort(one: string, other: string): boolean {
  const [mine, theirs] = [new URL(one), new URL(other)];
  if (mine.protocol !== "http:" || !isLoopback(mine)) return false;
  return withoutPort(one) === withoutPort(other) && theirs.protocol === "http:" && isLoopback(theirs);
}

/** As text, so that what a parser would normalize away still differs. */
const withoutPort = (address: string): string =>
  address.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?(?=[/?]|$)/, "$1");

/** The host, or for a program its scheme, that a user is shown. */
export function shownTarget(address: string): { readonly goes_to: string; readonly is_local: boolean } {
  const url = new URL(address);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return { goes_to: isWeb ? url.host : url.protocol, is_local: !isWeb || isLoopback(url) };
}

/** Adds parameters to a redirect. What the client gave stays byte for byte, and so does what it gets back. */
export function redirectTo(
  address: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${address}${address.includes("?") ? "&" : "?"}${added.join("&")}`;
}
