import { PlatformError } from "../../../client/index.ts";
import { errorText } from "../state.tsx";

export type FieldErrors = {
  /** What the server says of a field of the body, by its name. */
  readonly of: Readonly<Record<string, string>>;
  /** What belongs to no field that was named. */
  readonly rest: string | undefined;
};

type Item = { readonly loc: readonly (string | number)[]; readonly msg: string };

const none: FieldErrors = { of: {}, rest: undefined };

/**
 * Sorts a refusal of the platform by the fields of a form.
 *
 * @param shown  the fields that show their own errors; what concerns others is in `rest`
 */
export function fieldErrors(error: unknown, shown: readonly string[]): FieldErrors {
  if (error === null || error === undefined) return none;
  const items = itemsOf(error);
  if (!items) return { of: {}, rest: errorText(error) };
  const fieldOf = ({ loc }: Item) => String(loc[1] ?? "");
  const placed = items.filter((item) => shown.includes(fieldOf(item)));
  const others = items.filter((item) => !placed.includes(item));
  return {
    of: Object.fromEntries(placed.map((item) => [fieldOf(item), wordsOf(item.msg)])),
    rest:
      others.length === 0
        ? undefined
        : others.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${wordsOf(msg)}`).join("\n"),
  };
}

function itemsOf(error: unknown): readonly Item[] | undefined {
  if (!(error instanceof PlatformError) || error.status !== 422) return undefined;
  const { detail } = (error.body ?? {}) as { readonly detail?: unknown };
  return Array.isArray(detail) ? (detail as readonly Item[]) : undefined;
}

/** Without the kind of error, which is for programs. */
const wordsOf = (msg: string): string => msg.replace(/^Value error, /, "");
