import { connected, unreached } from "./connection.ts";

/** A deployment has replaced the files that this page names. Only a reload helps. */
export class OutdatedPage extends Error {
  override readonly name = "OutdatedPage";
}

/** How often a part may be refused by a platform that answers. */
const MOST_REFUSALS = 3;

/**
 * Loads a part of the page. While the platform cannot be reached it waits, and goes on when it can.
 *
 * @throws OutdatedPage where the page that is deployed now is another one
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let refusals = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (!isNotLoaded(error)) throw error;
      const deployed = await scriptOfDeployed();
      if (deployed === "unknown") unreached();
      else if (deployed !== ownScript()) throw new OutdatedPage();
      else if (++refusals >= MOST_REFUSALS) throw error;
      await connected();
    }
  }
}

/** What browsers say where a module did not come; the words differ. */
const isNotLoaded = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

const SCRIPT = /\/console\/files\/main-\w+\.js/;

const ownScript = (): string | undefined =>
  SCRIPT.exec(document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "")?.[0];

/** The script of the page as it is served now. */
async function scriptOfDeployed(): Promise<string | undefined> {
  try {
    const response = await fetch("/console", { cache: "no-store" });
    return response.ok ? SCRIPT.exec(await response.text())?.[0] : "unknown";
  } catch {
    return "unknown";
  }
}
