/**
 * Whether an address is one that may get our token.
 *
 * @param hosts  hosts, and ends of hosts that begin with a dot
 */
export function isPlatformHost(url: string, apiUrl: string, hosts: readonly string[]): boolean {
  const { protocol, hostname, origin } = new URL(url);
  if (origin === new URL(apiUrl).origin) return true;
  const isListed = hosts.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return protocol === "https:" && isListed;
}
