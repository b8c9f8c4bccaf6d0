import { BlockList, isIPv4, isIPv6 } from "node:net";

const notPublic = new BlockList();
/** @source IANA special-purpose address registries; 169.254.169.254 is where clouds serve credentials */
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  notPublic.addSubnet(network, prefix, "ipv4");
}
/** Exceptions within the public range: addresses that embed IPv4 ones, benchmarks, documentation. */
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  notPublic.addSubnet(network, prefix, "ipv6");
}

const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an address is on the public internet. Unknown ranges count as not public, as do private, loopback, link-local
 * and metadata addresses, and those that embed another address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, "ipv4");
  if (isIPv6(address)) return unicast.check(address, "ipv6") && !notPublic.check(address, "ipv6");
  return false;
}
