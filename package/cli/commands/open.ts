import { addressOf, type Place } from "../connect.ts";
import { openInBrowser } from "../open-in-browser.ts";

/** Opens the console in the browser; prints its address in any case. */
export async function openConsole(options: Place & { readonly json?: true }): Promise<void> {
  const address = `${addressOf(options)}/console`;
  console.log(options.json ? JSON.stringify({ address }) : address);
  await openInBrowser(address);
}
