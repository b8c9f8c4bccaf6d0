import type { Outcome } from "../api/one-by-one.ts";
import { countText } from "./amounts.ts";
import { Id } from "./id.tsx";

const SHOWN = 50;

/** What was refused of many, and why; nothing where all was done. */
export function RefusedList({ refused }: Pick<Outcome, "refused">) {
  if (refused.length === 0) return null;
  return (
    <ul className="refused">
      {refused.slice(0, SHOWN).map(({ id, detail }) => (
        <li key={id}>
          <Id value={id} /> <span className="soft">{detail}</span>
        </li>
      ))}
      {refused.length > SHOWN && <li className="faint">and {countText(refused.length - SHOWN)} more</li>}
    </ul>
  );
}
