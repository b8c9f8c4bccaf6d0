/** Requests to addresses of others: which may be called, and the keys that sign what is sent. What sends is in `sending.ts`; every other file is internal. */
export { type Address, checkedAddresses, pinnedTo } from "./checked-addresses.ts";
export { type FeedbackLink, openLink, sealLink } from "./feedback-link.ts";
export { feedbackLinks } from "./feedback-links.ts";
export { AddressRefused, guardedCalls } from "./guarded-calls.ts";
export { normalizedAddress, refusedAddress, unfetchableAddress } from "./refused-address.ts";
export { requireReceiver } from "./require-receiver.ts";
export { retryAfterSeconds } from "./retry-after.ts";
export {
  connectSigningRoots,
  type KeyOwner,
  type KeyState,
  newestSecret,
  type SigningRoots,
  validKeys,
} from "./signing-keys.ts";
