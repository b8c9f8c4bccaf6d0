import { ServiceError } from "../errors.ts";
import { normalizedAddress, refusedAddress } from "./refused-address.ts";

/**
 * Refuses an address to which no message would be sent. A name that resolves to an address which is not public is found
 * only when a message is sent.
 *
 * @param field  how the request calls it
 * @returns      the address as it is stored
 * @throws ServiceError UNPROCESSABLE
 */
export function requireReceiver(address: string, allowedHosts: readonly string[], field: string): string {
  const refusal = refusedAddress(address, allowedHosts);
  if (refusal !== undefined) throw new ServiceError("UNPROCESSABLE", `${field}: ${refusal}`);
  return normalizedAddress(address);
}
