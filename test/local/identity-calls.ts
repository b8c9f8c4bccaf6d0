import { statSync } from "node:fs";
import { join } from "node:path";
import { openIdentity } from "../../local/identity.ts";

/** Called from several threads at once by the tests of the identity provider. */

export const open = (folder: string): object => openIdentity(folder).issuer;

/** The size of the key file the moment that it can be seen. */
export function firstSizeOfKey(folder: string): number {
  const file = join(folder, "keys", "signing-key.pem");
  for (;;) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found) return found.size;
  }
}
